import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Waits for a page whose heading contains a text. Without it, the test fails with the headings and texts that are there. */
export async function seeHeading(page: Page, text: string | RegExp): Promise<void> {
  const found = page.getByRole('heading', { level: 1, name: text });
  await found.waitFor().catch(async () => {
    const shown = await page.locator('body').innerText();
    throw new Error(`There is no heading ${text} at ${page.url()}: ${shown.slice(0, 300)}`);
  });
}

/** Expects one `h1`, a title that says more than the name of the product, and a language: what screen readers announce first. */
export async function expectAnnounced(page: Page): Promise<void> {
  expect(await page.locator('h1').count()).toBe(1);
  expect(await page.title()).toMatch(/^(\S.* – Vouchsafe|Vouchsafe .*\S)$/);
  expect(await page.locator('html').getAttribute('lang')).toBe('en');
}
