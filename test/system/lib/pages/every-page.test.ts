import type { Page } from 'playwright-core';
import { pages as budgets, consolePageKb } from '../../../bench/budgets.ts';
import { addresses } from '../../../bench/pages/addresses.ts';
import { expectAccessible } from '../../../support/browser/accessible.ts';
import { hasChromium } from '../../../support/browser/chromium.ts';
import { startPages } from '../../../support/browser/stack.ts';
import { weightOf } from '../../../support/browser/weight.ts';

/** Enough for a list with several rows of each kind. `npm run bench -- pages` weighs pages with as many records as they show. */
const listed = { records: 4, pauseMs: 0 };
/** The name of an address in the console, for which a person has to sign in. */
const ofConsole = /^\/console(?!\/sign-in)/;
/** The reference has tests of its own. */
const names = (Object.keys(budgets) as (keyof typeof budgets)[]).filter((name) => !name.startsWith('/docs'));

describe.skipIf(!hasChromium)('every page in Chromium (skipped where there is none)', () => {
  const pages = startPages('page-reader');

  async function examine(
    page: Page,
    name: string,
    url: string,
    budget: { requests: number; kb: number },
    isOfConsole: boolean,
  ) {
    const { requests, bytes, scripts } = await weightOf(page, url);
    expect([name, requests]).toEqual([name, budget.requests]);
    expect(bytes, name).toBeLessThanOrEqual(budget.kb * 1_024);
    // Those of shares, and of the console.
    expect([name, scripts]).toEqual([name, /^\/s\b/.test(name) || isOfConsole ? 1 : 0]);
    await expectAccessible(page);
  }

  test.each(names)(
    '%s is within its budget of requests and bytes, and is accessible and fits in each width and scheme',
    async (name) => {
      const page = await (ofConsole.test(name) ? pages.newOperatorPage() : pages.browser.newPage());
      await examine(
        page,
        name,
        await addresses[name](pages.world, listed),
        budgets[name],
        ofConsole.test(name),
      );
    },
  );

  test.each([
    '/search?q=page-reader',
    '/search?q=a&application=b',
    '/developers?from=x',
    '/audit?from=x',
    '/audit?objectId=nothing',
    '/money',
    '/money/{applicationId}?file=journal&from=x',
  ])('the page of the console %s is so too', async (path) => {
    const address = path.replace('{applicationId}', pages.world.application.clientId);
    const page = await pages.newOperatorPage();
    await examine(
      page,
      path,
      `${pages.world.url}/console${address}`,
      { requests: 1, kb: consolePageKb },
      true,
    );
  });
});
