import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';

/** Waits for a page whose heading contains a text. Without it, the test fails with the headings and texts that are there. */
export async function seeHeading(page: Page, text: string | RegExp): Promise<void> {
  const found = page.getByRole('heading', { level: 1, name: text });
  await found.waitFor().catch(async () => {
    const shown = await page.locator('body').innerText();
    throw new Error(`There is no heading ${text} at ${page.url()}: ${shown.slice(0, 300)}`);
  });
}

/** Expects one `h1`, a title that says more than the name of the product, and a language: what screen readers announce first. */
async function expectAnnounced(page: Page): Promise<void> {
  expect(await page.locator('h1').count()).toBe(1);
  expect(await page.title()).toMatch(/^(\S.* – Vouchsafe|Vouchsafe .*\S)$/);
  expect(await page.locator('html').getAttribute('lang')).toBe('en');
}

/** The widths and schemes in which every page is shown, and the rules that axe-core runs there. */
const appearances = [
  { width: 320, scheme: 'light', rules: 'all' },
  { width: 768, scheme: 'dark', rules: 'colors' },
  { width: 1_280, scheme: 'dark', rules: 'none' },
] as const;

/**
 * Expects that a page announces itself and, in each width and scheme, that axe-core finds nothing (every rule of WCAG 2.2 A
 * and AA that it has, and its best practices) and that nothing scrolls sideways. The schemes differ in colors alone: all
 * rules run in the light scheme of a small phone, and the rules about colors in the dark one of a tablet.
 *
 * A copy of the document is examined, with all that it folds open: the page itself, its window and its focus stay as they are.
 */
export async function expectAccessible(page: Page): Promise<void> {
  await expectAnnounced(page);
  const examiner = await examinerOf(page);
  await examiner.show(page.url(), String(await page.evaluate(copied)));
  for (const { width, scheme, rules } of appearances) {
    await examiner.page.setViewportSize({ width, height: 800 });
    await examiner.page.emulateMedia({ colorScheme: scheme });
    const { violations, isInScheme, scrollWidth } = await examiner.examine(scheme, rules);
    const where = `${page.url()} at ${width} pixels in ${scheme}`;
    expect(violations, where).toBe('');
    expect([isInScheme, scrollWidth], where).toEqual([true, width]);
  }
}

/** The document with what a person has typed, and without what runs: a script has run before. */
const copied = `(() => {
  const copy = document.documentElement.cloneNode(true);
  for (const one of copy.querySelectorAll('script, noscript')) one.remove();
  for (const one of copy.querySelectorAll('input')) {
    one.setAttribute('value', one.value);
    one.toggleAttribute('checked', one.checked);
  }
  for (const one of copy.querySelectorAll('textarea')) one.textContent = one.value;
  return copy.outerHTML;
})()`;

interface Findings {
  /** A line for each rule that is broken. */
  violations: string;
  isInScheme: boolean;
  scrollWidth: number;
}

/** A page that shows copies of others. It loads axe-core once: loading takes several times as long as a run that follows others. */
interface Examiner {
  page: Page;
  show(url: string, markup: string): Promise<void>;
  examine(scheme: string, rules: 'all' | 'colors' | 'none'): Promise<Findings>;
}

const examiners = new WeakMap<Browser, Promise<Examiner>>();

async function examinerOf(page: Page): Promise<Examiner> {
  const browser = page.context().browser();
  if (browser === null) throw new Error('The page has no browser of its own.');
  const started = examiners.get(browser) ?? startExaminer(browser);
  examiners.set(browser, started);
  return await started;
}

async function startExaminer(browser: Browser): Promise<Examiner> {
  const page = await browser.newPage({ locale: 'en-GB', timezoneId: 'UTC' });
  await page.route('**', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Copy</title>' }),
  );
  const evaluate = (expression: string): Promise<unknown> => page.evaluate(expression);
  return {
    page,
    async show(url, markup) {
      const { origin } = new URL(url);
      // Links within a page are told by its address.
      if (new URL(page.url()).origin !== origin) {
        await page.goto(origin);
        await evaluate(axe.source);
      }
      await evaluate(`(${showCopy})(${JSON.stringify(url)}, ${JSON.stringify(markup)})`);
    },
    examine: async (scheme, rules) => (await evaluate(`(${examine})('${scheme}', '${rules}')`)) as Findings,
  };
}

const showCopy = `(url, markup) => {
  history.replaceState(null, '', url);
  const { documentElement } = new DOMParser().parseFromString('<!doctype html>' + markup, 'text/html');
  document.documentElement.replaceWith(documentElement);
  for (const one of document.querySelectorAll('main details')) one.open = true;
  for (const one of document.querySelectorAll('dialog[open]')) {
    one.close();
    one.showModal();
  }
  // axe-core would measure the estimated size of what is outside of the window, and take it for overlapped.
  for (const one of document.querySelectorAll('*'))
    if (getComputedStyle(one).contentVisibility === 'auto') one.style.contentVisibility = 'visible';
}`;

/** The rules about colors are those of contrast with the background, and of links with the text around them. */
const examine = `async (scheme, rules) => {
  const run = async () => {
    const { violations, incomplete } = await axe.run(document, {
      resultTypes: ['violations', 'incomplete'],
      // The address of each element, which nothing here shows.
      selectors: false,
      rules: { 'target-size': { enabled: true } },
      runOnly: rules === 'colors' ? { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } : undefined,
    });
    // On an image or a gradient for example: nobody knows whether such a text can be read.
    const unknown = incomplete.filter(({ id }) => id === 'color-contrast');
    return [...violations, ...unknown].map(({ impact, id, nodes }) =>
      impact + ' ' + id + ', ' + nodes.length + ' times: ' + nodes[0].html.slice(0, 200)).join('\\n');
  };
  return {
    violations: rules === 'none' ? '' : await run(),
    isInScheme: matchMedia('(prefers-color-scheme: ' + scheme + ')').matches,
    scrollWidth: document.documentElement.scrollWidth,
  };
}`;

/** No page has more places where the focus stops. */
const maxStops = 100;

/** The focused element: its label or text, or its value for a button without text. */
const focusedName = `(() => {
  const one = document.activeElement;
  if (one === null || one === document.body) return '';
  return (one.getAttribute('aria-label') ?? one.labels?.[0]?.innerText ?? one.innerText ?? '').replaceAll(/\\s+/g, ' ').trim();
})()`;

/** Whether the focus can be seen: an outline, or the styles that forced colors replace it with. */
const hasVisibleFocus = `(() => {
  const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(document.activeElement);
  return (outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2) || boxShadow !== 'none';
})()`;

/** The label or text of what has the focus; empty when nothing has it. */
export async function focused(page: Page): Promise<string> {
  return String(await page.evaluate(focusedName));
}

/**
 * Presses Tab until a control has the focus, and expects that each stop on the way can be seen.
 *
 * @param name its label or text, whole or a pattern.
 */
export async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const seen: string[] = [];
  const matches = (text: string) => (typeof name === 'string' ? text === name : name.test(text));
  for (let i = 0; i < maxStops; i += 1) {
    const text = await focused(page);
    if (matches(text)) {
      expect(await page.evaluate(hasVisibleFocus), `the focus on ${text} is visible`).toBe(true);
      return;
    }
    seen.push(text);
    await page.keyboard.press('Tab');
  }
  throw new Error(`The focus never reached ${name}. It stopped at: ${[...new Set(seen)].join(', ')}`);
}

/** Goes to a control with Tab and presses Enter on it. */
export async function enter(page: Page, name: string | RegExp): Promise<void> {
  await tabTo(page, name);
  await page.keyboard.press('Enter');
}
