import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Listening, listen } from '../../../../lib/local/listen.ts';
import { type Stack, startStack } from '../../../../lib/local/stack.ts';
import { pages as budgets } from '../../../bench/budgets.ts';
import { expectAccessible, expectAccessibleEverywhere } from '../../../support/browser/accessible.ts';
import {
  browserOfWorker,
  hasChromium,
  type TestBrowser,
  type Visitor,
} from '../../../support/browser/chromium.ts';
import { enter } from '../../../support/browser/keyboard.ts';
import { seeHeading } from '../../../support/browser/read.ts';
import { weightOf } from '../../../support/browser/weight.ts';
import type * as Payables from '../../../support/subscriptions/payable-invoices.ts';

describe.skipIf(!hasChromium)('the payment page in Chromium (skipped where there is none)', () => {
  let stack: Stack;
  let seller: Listening;
  let browser: TestBrowser;
  let page: Page;
  let payables: typeof Payables;

  beforeAll(async () => {
    // SDK clients keep their first endpoint.
    vi.resetModules();
    const env = { ...process.env, TABLE_NAME: `stack-${randomUUID()}`, AWS_ENDPOINT_URL_SES: undefined };
    const heading = (url = '') => (url.startsWith('/thanks') ? 'Thank you' : 'Our plans');
    const server = createServer(({ url }, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(`<h1>${heading(url)}</h1>`);
    });
    const options = { port: 0, dataDir: ':memory:', env, log: () => undefined };
    [stack, seller, browser] = await Promise.all([startStack(options), listen(server, 0), browserOfWorker()]);
    // The deployment key is cached too: the links are made with the key of this stack.
    payables = await import('../../../support/subscriptions/payable-invoices.ts');
  });
  afterEach(() => browser?.endTest());
  afterAll(async () => {
    await Promise.all([browser?.close(), seller?.close(), stack?.stop()]);
    vi.resetModules();
  });

  /** A payable invoice of a seller on another origin, to which the page returns. */
  const sandboxPayable = (more: Parameters<typeof Payables.newPayable>[1] = {}) => {
    const returns = { successUrl: `${seller.url}/thanks`, cancelUrl: `${seller.url}/plans` };
    return payables.newPayable('sandbox', { ...more, subscription: { ...returns, ...more.subscription } });
  };
  const urlOf = ({ token }: Payables.NewPayable) => `${stack.url}/checkout/${token}`;
  async function open(payable: Payables.NewPayable, visitor: Visitor = {}): Promise<void> {
    page = await browser.newPage(visitor);
    await page.goto(urlOf(payable));
  }
  const see = (heading: string) => seeHeading(page, heading);
  const click = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const pay = 'Pay EUR 9.99';

  test('a subscriber pays and returns to the seller; the page then shows the invoice as paid', async () => {
    const payable = await sandboxPayable();
    await open(payable);
    await see('Pay “Example App”');
    await click(pay);
    await see('Thank you');
    expect((await payables.now(payable)).invoice.status).toBe('paid');
    await page.goto(urlOf(payable));
    await see('This invoice is paid');
    await page.locator('main a').click();
    await see('Thank you');
  });

  test('works with the keyboard only, and without JavaScript', async () => {
    await open(await sandboxPayable(), { javaScript: false });
    await see('Pay “Example App”');
    await enter(page, pay);
    await see('Thank you');
  });

  test('cancelling returns to the seller, and the back button to a page that still works', async () => {
    await open(await sandboxPayable());
    await see('Pay “Example App”');
    await click('Cancel');
    await see('Our plans');
    await page.goBack();
    await see('Pay “Example App”');
    await click(pay);
    await see('Thank you');
  });

  test('going back after a payment and paying again pays nothing', async () => {
    const payable = await sandboxPayable();
    await open(payable);
    await see('Pay “Example App”');
    await click(pay);
    await see('Thank you');
    const paid = await payables.now(payable);
    await page.goBack();
    // From the cache of the browser, or anew.
    await seeHeading(page, /Pay “Example App”|This invoice is paid/);
    const again = page.getByRole('button', { name: pay });
    if ((await again.count()) > 0) {
      await again.click();
      await see('Thank you');
    }
    expect(await payables.now(payable)).toEqual(paid);
  });

  test('a double click pays once', async () => {
    const payable = await sandboxPayable();
    await open(payable);
    await page.getByRole('button', { name: pay }).dblclick();
    await see('Thank you');
    const { invoice, subscription } = await payables.now(payable);
    expect([invoice.status, subscription.status]).toEqual(['paid', 'active']);
    expect(subscription.openInvoices).toEqual([]);
  });

  test('a payment that was submitted without a network is made by a reload', async () => {
    const payable = await sandboxPayable();
    await open(payable);
    await see('Pay “Example App”');
    await page.context().setOffline(true);
    await click(pay);
    await expect.poll(() => page.url()).toMatch(/^chrome-error:/);
    expect((await payables.now(payable)).invoice.status).toBe('open');
    await page.context().setOffline(false);
    await page.reload();
    await see('Thank you');
    expect((await payables.now(payable)).invoice.status).toBe('paid');
  });

  test('a reload of the page pays nothing', async () => {
    const payable = await sandboxPayable();
    await open(payable);
    await page.reload();
    await see('Pay “Example App”');
    expect((await payables.now(payable)).invoice.status).toBe('open');
  });

  test('a declined payment is announced on the page, which still takes a payment', async () => {
    await open(await sandboxPayable());
    await click('Decline');
    expect(await page.getByRole('alert').innerText()).toContain('Your card was declined.');
    await expectAccessible(page);
    await click(pay);
    await see('Thank you');
  });

  test('a reversed payment leads to the page to pay again', async () => {
    const payable = await sandboxPayable();
    await open(payable);
    await click(pay);
    await see('Thank you');
    await page.goto(urlOf(payable));
    await see('This invoice is paid');
    await click('Take the payment back');
    await see('Pay “Example App”');
  });

  test('an invoice that cannot be paid has no button, and a forged link gets an error page', async () => {
    await open(await sandboxPayable({ invoice: { status: 'void' } }));
    await see('This invoice cannot be paid any more');
    expect(await page.locator('form').count()).toBe(0);
    await expectAccessible(page);
    await page.goto(`${stack.url}/checkout/inv_1.${'A'.repeat(22)}`);
    await see('Page not found');
    await expectAccessible(page);
  });

  test('the page says that payment is not possible at the moment when Stripe keys are missing', async () => {
    await open(await payables.newPayable('stripe'));
    await see('Paying does not work at the moment');
    await expectAccessible(page);
  });

  test('each of its pages is accessible and fits in each width and scheme', async () => {
    const name = 'W'.repeat(120);
    const lines = [{ description: name, quantity: 1, amountMinor: 99_999_999_999 }];
    await open(await sandboxPayable({ invoice: { seller: { name }, lines, totalMinor: 99_999_999_999 } }));
    await see('Pay “W');
    await expectAccessibleEverywhere(page);
    const payable = await sandboxPayable();
    await page.goto(urlOf(payable));
    await click(pay);
    await see('Thank you');
    await page.goto(urlOf(payable));
    await see('This invoice is paid');
    await expectAccessibleEverywhere(page);
  });

  test.each([320, 360, 390])(
    'amount and currency stay on one line on a phone of %i pixels',
    async (width) => {
      const invoice = { totalMinor: 123_456_789, receivedMinor: 100_000 };
      await open(await sandboxPayable({ invoice }));
      await page.setViewportSize({ width, height: 740 });
      const lines = await page.evaluate(`
      [...document.querySelectorAll('.total td, .actions button:first-child')].map(({ firstChild }) => {
        const range = document.createRange();
        range.setStart(firstChild, firstChild.data.indexOf('EUR'));
        range.setEnd(firstChild, firstChild.data.length);
        return range.getClientRects().length;
      })`);
      expect(lines).toEqual([1, 1, 1]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    },
  );

  test('it is one request, within the budget of its bytes', async () => {
    const { requests, bytes } = await weightOf(await browser.newPage(), urlOf(await sandboxPayable()));
    expect(requests).toBe(1);
    expect(bytes).toBeLessThanOrEqual(budgets['/checkout/{token}'].kb * 1_024);
  });
});
