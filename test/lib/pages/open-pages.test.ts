import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { pages as budgets } from '../../bench/budgets.ts';
import {
  appearances,
  expectAccessible,
  expectNoSidewaysScrolling,
} from '../../support/browser/accessible.ts';
import { hasChromium } from '../../support/browser/chromium.ts';
import { expectAnnounced } from '../../support/browser/read.ts';
import { type PagesStack, startPagesStack } from '../../support/browser/stack.ts';
import { weightOf } from '../../support/browser/weight.ts';

describe.skipIf(!hasChromium)(
  'the first page and the page of unknown paths in Chromium (skipped where there is none)',
  () => {
    let pages: PagesStack;

    beforeAll(async () => {
      pages = await startPagesStack();
    });
    afterEach(() => pages?.browser.endTest());
    afterAll(() => pages?.stop());

    test.each(appearances)(
      'both are accessible and fit at $width pixels in $scheme, and have no script',
      async (visitor) => {
        for (const path of ['/', '/nothing/here']) {
          const page = await pages.browser.newPage(visitor);
          await page.goto(pages.world.url + path);
          await expectAnnounced(page);
          await expectAccessible(page);
          await expectNoSidewaysScrolling(page);
          expect(await page.locator('script').count()).toBe(0);
        }
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
