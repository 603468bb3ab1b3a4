import './copy.ts';

/**
 * The keys of reviewers. A control with `data-key` acts on its key: a field gets the focus, a link or a button is pressed. In a
 * list, j and k move along the links with `data-row`. The pages work without it.
 *
 * A person can turn the keys off, because programs for speech send letters too: WCAG 2.2, success criterion 2.1.4.
 */
const keys = new Set(['j', 'k', 'v', 'r', 'u']);

const stored = 'vouchsafe-keys';
let areOn = localStorage.getItem(stored) !== 'off';

addEventListener('DOMContentLoaded', () => {
  const button = document.createElement('button');
  const label = () => {
    button.textContent = areOn ? 'Turn the keys off' : 'Turn the keys on';
  };
  button.className = 'plain';
  button.addEventListener('click', () => {
    areOn = !areOn;
    localStorage.setItem(stored, areOn ? 'on' : 'off');
    label();
  });
  label();
  document.querySelector('[data-keys]')?.append(button);
});

/** A second press must not send a form again while the page is left. */
let isLeaving = false;
addEventListener('pageshow', () => {
  isLeaving = false;
});

addEventListener('keydown', (event) => {
  const { key, target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.isComposing) return;
  if (target instanceof HTMLElement && target.matches('input,select,textarea,[contenteditable]')) {
    if (key === 'Escape') target.blur();
    return;
  }
  if (!areOn || isLeaving || !keys.has(key)) return;
  const control = document.querySelector<HTMLElement>(`[data-key=${key}]`);
  if (control === null) moveAlong(key);
  else if (control.matches('input')) control.focus();
  else {
    isLeaving = true;
    control.click();
  }
  event.preventDefault();
});

/** Moves the focus along the links of a list, from its begin and its end when no link has it. */
function moveAlong(key: string): void {
  if (key !== 'j' && key !== 'k') return;
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')];
  const at = rows.findIndex((row) => row.matches(':focus'));
  const step = key === 'j' ? 1 : -1;
  rows.at(at === -1 && step === -1 ? -1 : Math.max(0, at + step))?.focus();
}
