import type { Page } from 'playwright-core';
import { enter, expectAccessible, seeHeading } from '../../../support/browser/accessible.ts';
import { hasChromium } from '../../../support/browser/chromium.ts';
import { startPages } from '../../../support/browser/stack.ts';
import { stackOfWorker } from '../../../support/subscriptions/stack.ts';

describe.skipIf(!hasChromium)('the payment page in Chromium (skipped where there is none)', () => {
  const pages = startPages('paying-client');
  let page: Page;

  /** Opens the payment page of a new subscription. @returns its address, and functions that read the subscription. */
  async function openNew(name: string) {
    const { checkoutUrl, subscriptionId } = await pages.world.newSubscription(name);
    page = await pages.open(checkoutUrl);
    const read = async () => (await pages.api('GET', `/subscriptions/${subscriptionId}`)).subscription;
    const state = async () => {
      const { status, invoices } = await read();
      return [status, ...invoices.map((one: { status: string }) => one.status)];
    };
    return { checkoutUrl, read, state };
  }
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
    await expectAccessible(page);
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

  test('the longest name and a high price fit in each width, with amount and currency on one line', async () => {
    const stack = await stackOfWorker();
    const large = await stack.application({ paymentGateway: 'sandbox' }, 'W'.repeat(100));
    const planId = await large.plan({ name: 'W'.repeat(100), price: 99_999_999.99 });
    const { body } = await large.subscribe(await large.client('large-payer'), planId);
    page = await pages.open(body.checkoutUrl);
    await see('Pay “W');
    await expectAccessible(page);
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
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    }
    await stack.choose(body.checkoutUrl, 'pay');
    await page.reload();
    await see('This invoice is paid');
    await expectAccessible(page);
  });
});
