import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { pages as budgets } from '../../../bench/budgets.ts';
import {
  expectAccessible,
  expectAccessibleEverywhere,
  expectNoSidewaysScrolling,
} from '../../../support/browser/accessible.ts';
import { hasChromium, type Visitor } from '../../../support/browser/chromium.ts';
import { enter } from '../../../support/browser/keyboard.ts';
import { seeHeading } from '../../../support/browser/read.ts';
import { type PagesStack, startPagesStack } from '../../../support/browser/stack.ts';
import { weightOf } from '../../../support/browser/weight.ts';
import { type Subscriber, stackOfWorker } from '../../../support/subscriptions/stack.ts';

describe.skipIf(!hasChromium)('the payment page in Chromium (skipped where there is none)', () => {
  let pages: PagesStack;
  let page: Page;
  /** A seller of one plan, with the longest name and a high price. */
  let large: Subscriber;

  beforeAll(async () => {
    pages = await startPagesStack('paying-client');
    large = await (await stackOfWorker()).application({ paymentGateway: 'sandbox' }, 'W'.repeat(100));
  });
  afterEach(() => pages?.browser.endTest());
  afterAll(() => pages?.stop());

  async function open(url: string, visitor: Visitor = {}): Promise<void> {
    page = await pages.browser.newPage(visitor);
    await page.goto(url);
  }
  /** Opens the payment page of a new subscription. @returns its address, and a function that reads the subscription. */
  async function openNew(name: string, visitor?: Visitor) {
    const { checkoutUrl, subscriptionId } = await pages.world.newSubscription(name);
    await open(checkoutUrl, visitor);
    const { apiKey: key } = pages.world.application;
    const read = async () =>
      (await pages.world.send('GET', `/api/v1/subscriptions/${subscriptionId}`, { key })).subscription;
    return { checkoutUrl, read, state: async () => states(await read()) };
  }
  const states = ({ status, invoices }: { status: string; invoices: { status: string }[] }) => [
    status,
    ...invoices.map((one) => one.status),
  ];
  const see = (heading: string | RegExp) => seeHeading(page, heading);
  const pay = 'Pay EUR 19.00';

  test('a subscriber cancels, goes back, is declined, pays, takes it back and pays again, with the keyboard alone', async () => {
    const { checkoutUrl, state } = await openNew('keyboard-payer');
    await see('Pay “Northwind Notes”');
    await enter(page, 'Cancel');
    await see('Our plans');
    await page.goBack();
    await page.reload();
    await see('Pay “Northwind Notes”');
    expect(await state()).toEqual(['pending', 'open']);
    await enter(page, 'Decline');
    expect(await page.getByRole('alert').innerText()).toContain('Your card was declined.');
    await expectAccessible(page);
    await enter(page, pay);
    await see('Thank you');
    expect(await state()).toEqual(['active', 'paid']);
    await page.goto(checkoutUrl);
    await see('This invoice is paid');
    await enter(page, 'Take the payment back');
    await see('Pay “Northwind Notes”');
    await enter(page, pay);
    await see('Thank you');
    await page.goto(checkoutUrl);
    await page.locator('main a').click();
    await see('Thank you');
  });

  test('a double click pays once', async () => {
    const { read, state } = await openNew('double-payer');
    await page.getByRole('button', { name: pay }).dblclick();
    await see('Thank you');
    expect(await state()).toEqual(['active', 'paid']);
    const paid = await read();
    expect(paid.timeline.filter(({ event }: { event: string }) => event === 'payment')).toHaveLength(1);
    await page.goBack();
    // From the cache of the browser, or anew.
    await see(/Pay “Northwind Notes”|This invoice is paid/);
    const again = page.getByRole('button', { name: pay });
    if ((await again.count()) > 0) {
      await again.click();
      await see('Thank you');
    }
    expect(await read()).toEqual(paid);
  });

  test('it is one request, within the budget of its bytes, and is accessible and fits in each width and scheme, with amount and currency on one line', async () => {
    const planId = await large.plan({ name: 'W'.repeat(100), price: 99_999_999.99 });
    const { body } = await large.subscribe(await large.client('large-payer'), planId);
    page = await pages.browser.newPage();
    const { requests, bytes } = await weightOf(page, body.checkoutUrl);
    expect(requests).toBe(1);
    expect(bytes).toBeLessThanOrEqual(budgets['/checkout/{token}'].kb * 1_024);
    await see('Pay “W');
    await expectAccessibleEverywhere(page);
    for (const width of [320, 360, 390]) {
      await page.setViewportSize({ width, height: 740 });
      const lines = await page.evaluate(`
      [...document.querySelectorAll('.total td, .actions button:first-child')].map(({ firstChild }) => {
        const range = document.createRange();
        range.setStart(firstChild, firstChild.data.indexOf('EUR'));
        range.setEnd(firstChild, firstChild.data.length);
        return range.getClientRects().length;
      })`);
      expect(new Set(lines as number[])).toEqual(new Set([1]));
      await expectNoSidewaysScrolling(page);
    }
    await page.getByRole('button', { name: /^Pay/ }).click();
    // The site to which the page returns does not exist.
    await expect.poll(() => page.url()).toMatch(/^chrome-error:/);
    await page.goto(body.checkoutUrl);
    await see('This invoice is paid');
    await expectAccessibleEverywhere(page);
  });
});
