import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { pages as budgets } from '../../../bench/budgets.ts';
import { expectAccessibleEverywhere } from '../../../support/browser/accessible.ts';
import { hasChromium } from '../../../support/browser/chromium.ts';
import { type PagesStack, startPagesStack } from '../../../support/browser/stack.ts';
import { weightOf } from '../../../support/browser/weight.ts';

describe.skipIf(!hasChromium)(
  'the first page and the page of unknown paths in Chromium (skipped where there is none)',
  () => {
    let pages: PagesStack;

    beforeAll(async () => {
      pages = await startPagesStack();
    });
    afterEach(() => pages?.browser.endTest());
    afterAll(() => pages?.stop());

    test.each(['/', '/nothing/here'])(
      '%s is accessible and fits in each width and scheme, and has no script',
      async (path) => {
        const page = await pages.browser.newPage();
        await page.goto(pages.world.url + path);
        await expectAccessibleEverywhere(page);
        expect(await page.locator('script').count()).toBe(0);
      },
    );

    test.each([
      ['/', '/'],
      ['an unknown path', '/nothing/here'],
    ] as const)('%s is within its budget of requests and bytes', async (name, path) => {
      const { requests, bytes } = await weightOf(await pages.browser.newPage(), pages.world.url + path);
      expect(requests).toBe(budgets[name].requests);
      expect(bytes).toBeLessThanOrEqual(budgets[name].kb * 1_024);
    });
  },
);
