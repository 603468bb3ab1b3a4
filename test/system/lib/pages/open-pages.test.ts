import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { pages as budgets } from '../../../bench/budgets.ts';
import { expectAccessibleEverywhere } from '../../../support/browser/accessible.ts';
import { browserOfWorker, hasChromium, type TestBrowser } from '../../../support/browser/chromium.ts';
import { weightOf } from '../../../support/browser/weight.ts';
import { stackOfWorker } from '../../../support/subscriptions/stack.ts';

describe.skipIf(!hasChromium)(
  'the first page and the page of unknown paths in Chromium (skipped where there is none)',
  () => {
    let browser: TestBrowser;
    beforeAll(async () => {
      browser = await browserOfWorker();
    });
    afterEach(() => browser?.endTest());

    test.each([
      ['/', '/'],
      ['an unknown path', '/nothing/here'],
    ] as const)(
      '%s is within its budget of requests and bytes, has no script, and is accessible and fits in each width and scheme',
      async (name, path) => {
        const page = await browser.newPage();
        const { requests, bytes } = await weightOf(page, (await stackOfWorker()).url + path);
        expect(requests).toBe(budgets[name].requests);
        expect(bytes).toBeLessThanOrEqual(budgets[name].kb * 1_024);
        expect(await page.locator('script').count()).toBe(0);
        await expectAccessibleEverywhere(page);
      },
    );
  },
);
