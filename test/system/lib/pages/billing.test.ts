import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { pages as budgets } from '../../../bench/budgets.ts';
import { expectAccessible, expectAccessibleEverywhere } from '../../../support/browser/accessible.ts';
import { hasChromium, type Visitor } from '../../../support/browser/chromium.ts';
import { advance } from '../../../support/browser/clock.ts';
import { enter } from '../../../support/browser/keyboard.ts';
import { expectAnnounced, seeHeading } from '../../../support/browser/read.ts';
import { type PagesStack, startPagesStack } from '../../../support/browser/stack.ts';
import { weightOf } from '../../../support/browser/weight.ts';
import type { NewSubscription } from '../../../support/browser/world.ts';

describe.skipIf(!hasChromium)('the billing page in Chromium (skipped where there is none)', () => {
  let pages: PagesStack;
  let page: Page;
  let clients = 0;

  beforeAll(async () => {
    pages = await startPagesStack();
  });
  afterEach(() => pages?.browser.endTest());
  afterAll(() => pages?.stop());

  const click = (name: string | RegExp) => page.getByRole('button', { name }).click();
  const status = () => page.getByRole('status').innerText();
  const state = () => page.locator('.state h2').innerText();

  function newSubscription(): Promise<NewSubscription> {
    clients += 1;
    return pages.world.newSubscription(`client-${clients}`);
  }

  async function newPage(visitor: Visitor = {}): Promise<void> {
    page = await pages.browser.newPage(visitor);
  }

  /** Opens the billing page of a new subscription and pays the first invoice. @returns the link. */
  async function openPaid(visitor: Visitor = {}): Promise<string> {
    const subscription = await newSubscription();
    await newPage(visitor);
    await page.goto(subscription.checkoutUrl);
    await click(/^Pay/);
    await seeHeading(page, 'Thank you');
    const link = await pages.world.billingUrl(subscription);
    await page.goto(link);
    await seeHeading(page, 'Your subscription to “Team”');
    return link;
  }

  test('a subscriber cancels and undoes it with the keyboard alone, without JavaScript', async () => {
    await openPaid({ javaScript: false });
    await enter(page, 'Cancel the subscription');
    await seeHeading(page, 'Cancel your subscription?');
    await enter(page, 'Cancel the subscription');
    await expect.poll(status).toMatch(/The subscription is cancelled/);
    await enter(page, 'Undo the cancellation');
    await expect.poll(status).toMatch(/The cancellation was undone/);
  });

  test('a subscriber pays what is open, and finds the invoice as PDF', async () => {
    const subscription = await newSubscription();
    const link = await pages.world.billingUrl(subscription);
    await newPage();
    await page.goto(link);
    await page.getByRole('link', { name: /^Pay/ }).click();
    await seeHeading(page, 'Pay “Northwind Notes”');
    await click(/^Pay/);
    await seeHeading(page, 'Thank you');
    await page.goto(link);
    const invoice = await page.getByRole('link', { name: /PDF/ }).getAttribute('href');
    const headers = { accept: 'text/html,application/xhtml+xml' };
    const response = await page.context().request.get(new URL(invoice ?? '', link).href, { headers });
    expect([response.status(), response.headers()['content-type']]).toEqual([200, 'application/pdf']);
    expect((await response.body()).subarray(0, 5).toString()).toBe('%PDF-');
  });

  test('the name on invoices is changed, and kept after a reload', async () => {
    await openPaid();
    await page.getByLabel('Name of a person or company').fill('Reed & Sons <Ltd>');
    await click('Save name');
    await expect.poll(status).toContain('“Reed & Sons <Ltd>”');
    await page.reload();
    expect(await page.getByLabel('Name of a person or company').inputValue()).toBe('Reed & Sons <Ltd>');
  });

  test('a double click cancels once, and going back asks no second time', async () => {
    const link = await openPaid();
    await page.getByRole('link', { name: 'Cancel the subscription' }).click();
    await page.getByRole('button', { name: 'Cancel the subscription' }).dblclick();
    await page.getByRole('button', { name: 'Undo the cancellation' }).waitFor();
    await page.goBack();
    await seeHeading(page, 'The subscription cannot be cancelled now');
    await page.goto(link);
    expect(await page.getByRole('button', { name: 'Undo the cancellation' }).count()).toBe(1);
  });

  test('a cancellation that was submitted without a network changes nothing', async () => {
    const link = await openPaid();
    const before = await state();
    await page.getByRole('link', { name: 'Cancel the subscription' }).click();
    await seeHeading(page, 'Cancel your subscription?');
    await page.context().setOffline(true);
    await click('Cancel the subscription');
    await expect.poll(() => page.url()).toMatch(/^chrome-error:/);
    await page.context().setOffline(false);
    await page.goto(link);
    expect(await state()).toBe(before);
  });

  test('a replaced link mails the new one, which opens the page', async () => {
    const subscription = await newSubscription();
    const old = await pages.world.billingUrl(subscription);
    await newPage();
    await page.goto(old);
    await page.getByRole('link', { name: 'Replace this link' }).click();
    await seeHeading(page, 'Replace this link?');
    await expectAccessible(page);
    await click('Replace the link');
    await seeHeading(page, 'Check your mail');
    await advance(pages.world.url, 60);
    const { text } = await pages.world.newestMail(subscription.email);
    const [link = ''] = /https?:\S+\/billing\/\S+/.exec(text) ?? [];
    expect(link).not.toBe(old);
    await page.goto(old);
    await seeHeading(page, 'This link was replaced');
    expect(await page.locator('body').innerText()).not.toContain(subscription.email);
    await expectAccessible(page);
    await page.goto(link);
    await seeHeading(page, 'Your subscription to “Team”');
  });

  test('a forged link gets an error page', async () => {
    const link = await pages.world.billingUrl(await newSubscription());
    await newPage();
    await page.goto(`${link.slice(0, -4)}AAAA`);
    expect(await page.locator('form').count()).toBe(0);
    await expectAnnounced(page);
    await expectAccessible(page);
  });

  test('each of its pages is accessible and fits in each width and scheme', async () => {
    const examine = () => expectAccessibleEverywhere(page);
    await openPaid();
    await examine();
    await page.getByRole('link', { name: 'Cancel the subscription' }).click();
    await seeHeading(page, 'Cancel your subscription?');
    await examine();
    await click('Cancel the subscription');
    await page.getByRole('button', { name: 'Undo the cancellation' }).waitFor();
    await examine();
  });

  test('it is one request, within the budget of its bytes', async () => {
    const link = await pages.world.billingUrl(await newSubscription());
    const { requests, bytes } = await weightOf(await pages.browser.newPage(), link);
    expect(requests).toBe(1);
    expect(bytes).toBeLessThanOrEqual(budgets['/billing/{token}'].kb * 1_024);
  });
});
