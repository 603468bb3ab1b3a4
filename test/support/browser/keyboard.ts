import type { Page } from 'playwright-core';
import { expect } from 'vitest';

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
