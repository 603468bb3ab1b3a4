import type { Page } from 'playwright-core';
import { enter, expectAccessible, seeHeading } from '../../../support/browser/accessible.ts';
import { hasChromium, type Visitor } from '../../../support/browser/chromium.ts';
import { startPages } from '../../../support/browser/stack.ts';

describe.skipIf(!hasChromium)('the billing page in Chromium (skipped where there is none)', () => {
  const pages = startPages('billing-reader');
  let page: Page;

  /** Opens the billing page of a new subscription, and pays what is open. @returns the link. */
  async function openPaid(name: string, visitor: Visitor = {}): Promise<string> {
    const link = await pages.world.billingUrl(await pages.world.newSubscription(name));
    page = await pages.open(link, visitor);
    await page.getByRole('link', { name: /^Pay/ }).click();
    await seeHeading(page, 'Pay “Northwind Notes”');
    await page.getByRole('button', { name: /^Pay/ }).click();
    await seeHeading(page, 'Thank you');
    await page.goto(link);
    await seeHeading(page, 'Your subscription to “Team”');
    return link;
  }

  test('a subscriber pays what is open, finds the invoice as PDF, changes the name on it, cancels and undoes it, with the keyboard alone, without JavaScript', async () => {
    const link = await openPaid('keyboard', { javaScript: false });
    const status = () => page.getByRole('status').innerText();
    const invoice = await page.getByRole('link', { name: /PDF/ }).getAttribute('href');
    const headers = { accept: 'text/html,application/xhtml+xml' };
    const response = await page.context().request.get(new URL(invoice ?? '', link).href, { headers });
    expect([response.status(), response.headers()['content-type']]).toEqual([200, 'application/pdf']);
    expect((await response.body()).subarray(0, 5).toString()).toBe('%PDF-');

    const name = page.getByLabel('Name of a person or company');
    await name.fill('Reed & Sons <Ltd>');
    await enter(page, 'Save name');
    await expect.poll(status).toContain('“Reed & Sons <Ltd>”');
    await expectAccessible(page);
    await page.reload();
    expect(await name.inputValue()).toBe('Reed & Sons <Ltd>');

    await enter(page, 'Cancel the subscription');
    await seeHeading(page, 'Cancel your subscription?');
    await expectAccessible(page);
    await enter(page, 'Cancel the subscription');
    await expect.poll(status).toMatch(/The subscription is cancelled/);
    await expectAccessible(page);
    await enter(page, 'Undo the cancellation');
    await expect.poll(status).toMatch(/The cancellation was undone/);
  });

  test('a double click cancels once, and going back asks no second time', async () => {
    const link = await openPaid('double');
    const undo = page.getByRole('button', { name: 'Undo the cancellation' });
    await page.getByRole('link', { name: 'Cancel the subscription' }).click();
    await page.getByRole('button', { name: 'Cancel the subscription' }).dblclick();
    await undo.waitFor();
    await page.goBack();
    await seeHeading(page, 'The subscription cannot be cancelled now');
    await page.goto(link);
    expect(await undo.count()).toBe(1);
  });
});
