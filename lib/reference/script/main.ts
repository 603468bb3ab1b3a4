/** The script of every page. Without it the page has all its content; with it, it searches, copies, and marks where the reader is. */
import { element, elements } from './elements.ts';
import { type SearchEntry, searchOf } from './search.ts';

const root = document.documentElement.dataset.root ?? './';

/** Puts the address of the API into the examples. */
function fillAddress(): void {
  const api = new URL(root, location.href).href.replace(/\/$/, '');
  for (const one of elements('.api'))
    one.textContent = one.textContent.replaceAll('https://api.example.com', api);
}

const shownResults = 20;

function startSearch(): void {
  const finder = element('finder', HTMLDialogElement);
  const input = element('search', HTMLInputElement);
  const results = element('results', HTMLUListElement);
  const status = element('status', HTMLElement);
  const button = element('find', HTMLButtonElement);
  let search: ((text: string) => SearchEntry[]) | undefined;
  const open = () => {
    search ??= searchOf(JSON.parse(element('index', HTMLScriptElement).textContent));
    if (!finder.open) finder.showModal();
    // To select the text scrolls to no field: the focus does.
    input.focus();
    input.select();
  };
  const show = () => {
    const found = search?.(input.value) ?? [];
    const count = found.length === 1 ? '1 result' : `${found.length} results`;
    status.textContent = input.value.trim() === '' ? '' : count;
    results.replaceChildren(...found.slice(0, shownResults).map(resultOf));
  };
  const resultOf = ([title, link, kind]: SearchEntry) => {
    const item = document.createElement('li');
    const anchor = document.createElement('a');
    anchor.href = root + link;
    const small = document.createElement('span');
    small.textContent = kind;
    anchor.append(title, ' ', small);
    anchor.addEventListener('click', () => finder.close());
    item.append(anchor);
    return item;
  };
  const move = (step: number) => {
    const stops: HTMLElement[] = [input, ...elements('#results a')];
    const at = stops.findIndex((one) => one.matches(':focus'));
    stops[(at + step + stops.length) % stops.length]?.focus();
  };
  button.hidden = false;
  button.addEventListener('click', open);
  element('close', HTMLButtonElement).addEventListener('click', () => finder.close());
  input.addEventListener('input', show);
  finder.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    // In a field of a search, it would empty the field.
    if (event.key === 'Escape') finder.close();
    if (step !== undefined) {
      event.preventDefault();
      move(step);
    } else if (event.key === 'Enter' && event.target === input) {
      results.querySelector('a')?.click();
    }
  });
  addEventListener('keydown', (event) => {
    const isTyping = event.target === input;
    const isSlash = event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey;
    const isCtrlK = event.key === 'k' && (event.ctrlKey || event.metaKey);
    if (!isSlash && !isCtrlK) return;
    event.preventDefault();
    open();
  });
}

/** A language that was chosen at one example is that of all. */
function startLanguages(): void {
  const inputs = elements('.languages input').filter((one) => one instanceof HTMLInputElement);
  const choose = (value: string) => {
    for (const one of inputs) if (one.value === value) one.checked = true;
  };
  for (const one of inputs)
    one.addEventListener('change', () => {
      const before = one.getBoundingClientRect().top;
      choose(one.value);
      scrollBy({ top: one.getBoundingClientRect().top - before, behavior: 'instant' });
      sessionStorage.setItem('language', one.value);
    });
  const stored = sessionStorage.getItem('language');
  if (stored !== null) choose(stored);
}

function startCopying(): void {
  // Only pages from HTTPS or localhost have one.
  if (!('clipboard' in navigator)) return;
  for (const example of elements('pre.example')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(example.textContent);
      button.textContent = 'Copied';
    });
    example.after(button);
  }
}

/** Marks the section that the reader is in, in the menu. */
function followReading(): void {
  const links = new Map<string, Element[]>();
  for (const link of elements('nav li li a'))
    links.set(link.getAttribute('href') ?? '', [...(links.get(link.getAttribute('href') ?? '') ?? []), link]);
  const sections = [...links.keys()].flatMap((href) => document.getElementById(href.slice(1)) ?? []);
  const mark = () => {
    const current = sections.findLast((one) => one.getBoundingClientRect().top < innerHeight / 3);
    for (const [href, all] of links)
      for (const link of all)
        if (href === `#${current?.id}`) link.setAttribute('aria-current', 'location');
        else link.removeAttribute('aria-current');
  };
  const observer = new IntersectionObserver(mark, { rootMargin: '0px 0px -66% 0px', threshold: [0, 0.01] });
  for (const one of sections) observer.observe(one);
}

/** The menu of a phone covers the page: it closes when a link of the same page is followed. */
function closeMenu(): void {
  const menu = document.querySelector('details.menu');
  menu?.addEventListener('click', ({ target }) => {
    if (target instanceof HTMLAnchorElement) menu.removeAttribute('open');
  });
  menu?.addEventListener('keydown', (event) => {
    if (!(event instanceof KeyboardEvent) || event.key !== 'Escape') return;
    menu.removeAttribute('open');
    menu.querySelector('summary')?.focus();
  });
}

fillAddress();
startSearch();
startLanguages();
startCopying();
followReading();
closeMenu();
