import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { expectAnnounced } from './read.ts';

/**
 * Expects that axe-core finds nothing in the page: every rule of WCAG 2.2 A and AA that it has, and its best practices.
 *
 * It runs in a world of its own beside the scripts of the page. The page's content security policy stays in force and does
 * not apply there. https://chromedevtools.github.io/devtools-protocol/tot/Page/#method-createIsolatedWorld
 */
export async function expectAccessible(page: Page): Promise<void> {
  await withAxe(page, async (violations) => expect(await violations()).toBe(''));
}

/**
 * Expects that a page announces itself and, in each width and scheme, that axe-core finds nothing and that nothing
 * scrolls sideways. The schemes differ in colors alone: all rules run in the light scheme of a small phone, and the rules
 * about colors in the dark one of a tablet. The window changes while the page stays, so that a way to it is gone once.
 */
export async function expectAccessibleEverywhere(page: Page): Promise<void> {
  await expectAnnounced(page);
  const before = page.viewportSize();
  const height = before?.height ?? 800;
  await withAxe(page, async (violations) => {
    for (const { width, scheme, rules } of appearances) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme: scheme });
      const where = `${page.url()} at ${width} pixels in ${scheme}`;
      expect(await page.evaluate(`matchMedia('(prefers-color-scheme: ${scheme})').matches`)).toBe(true);
      if (rules !== 'none') expect(await violations(rules), where).toBe('');
      expect(await page.evaluate('document.documentElement.scrollWidth'), where).toBe(width);
    }
  });
  if (before !== null) await page.setViewportSize(before);
}

/**
 * Loads axe-core beside a page. The given function lists what it finds, one line for each rule; empty when nothing. It
 * runs all rules, or those about colors.
 */
async function withAxe(
  page: Page,
  use: (violations: (rules?: 'all' | 'colors') => Promise<unknown>) => Promise<void>,
): Promise<void> {
  const session = await page.context().newCDPSession(page);
  try {
    const { frameTree } = await session.send('Page.getFrameTree');
    const world = { frameId: frameTree.frame.id, worldName: 'axe' };
    const { executionContextId: contextId } = await session.send('Page.createIsolatedWorld', world);
    await session.send('Runtime.evaluate', { contextId, expression: axe.source });
    await session.send('Runtime.evaluate', { contextId, expression: layOutAll });
    const options = {
      resultTypes: ['violations', 'incomplete'],
      // The address of each element, which nothing here shows.
      selectors: false,
      rules: { 'target-size': { enabled: true } },
    };
    await use(async (rules) => {
      const runOnly = rules === 'colors' ? { type: 'rule', values: colorRules } : undefined;
      const how = JSON.stringify({ runOnly, ...options });
      const expression = `axe.run(document, ${how}).then(({ violations, incomplete }) => [
        ...violations,
        // On an image or a gradient for example: nobody knows whether such a text can be read.
        ...incomplete.filter(({ id }) => id === 'color-contrast'),
      ].map(({ impact, id, nodes }) =>
        impact + ' ' + id + ', ' + nodes.length + ' times: ' + nodes[0].html.slice(0, 200)).join('\\n'))`;
      const answer = await session.send('Runtime.evaluate', {
        contextId,
        expression,
        awaitPromise: true,
        returnByValue: true,
      });
      if (answer.exceptionDetails)
        throw new Error(answer.exceptionDetails.exception?.description ?? 'axe failed');
      return answer.result.value;
    });
  } finally {
    await session.detach();
  }
}

/** Lays out what is outside of the window too. axe-core would measure its estimated size, and take it for overlapped. */
const layOutAll = `for (const one of document.querySelectorAll('*'))
  if (getComputedStyle(one).contentVisibility === 'auto') one.style.contentVisibility = 'visible';`;

/** Expects that nothing is wider than the window: WCAG 2.2, success criterion 1.4.10. */
export async function expectNoSidewaysScrolling(page: Page): Promise<void> {
  const width = page.viewportSize()?.width;
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
}

/** The rules whose result depends on colors. Contrast with the background, and of links with the text around them. */
const colorRules: readonly string[] = ['color-contrast', 'link-in-text-block'];
/** The widths and schemes in which every page is shown, and the rules that axe-core runs there. */
const appearances = [
  { width: 320, scheme: 'light', rules: 'all' },
  { width: 768, scheme: 'dark', rules: 'colors' },
  { width: 1_280, scheme: 'dark', rules: 'none' },
] as const;
