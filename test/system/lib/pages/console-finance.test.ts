import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { expectAccessibleEverywhere } from '../../../support/browser/accessible.ts';
import { hasChromium } from '../../../support/browser/chromium.ts';
import { seeHeading } from '../../../support/browser/read.ts';
import { type PagesStack, startPagesStack } from '../../../support/browser/stack.ts';
import { weightOf } from '../../../support/browser/weight.ts';

const mostBytes = 30 * 1_024;

describe.skipIf(!hasChromium)('audit and money in Chromium (skipped where there is none)', () => {
  let pages: PagesStack;
  let page: Page;

  beforeAll(async () => {
    pages = await startPagesStack('console-finance-owner');
  });
  afterEach(() => pages?.browser.endTest());
  afterAll(() => pages?.stop());

  const consoleUrl = (path = '') => `${pages.world.url}/console${path}`;

  async function signIn(javaScript: boolean): Promise<void> {
    page = await pages.browser.newPage({ javaScript });
    page.setDefaultTimeout(20_000);
    const { operatorKey } = await pages.world.send('GET', '/_local/demo');
    await page.goto(consoleUrl());
    await page.getByLabel('Operator key').fill(operatorKey);
    await page.keyboard.press('Enter');
    await seeHeading(page, 'Console');
  }

  async function expectLightAndAccessible(path: string): Promise<void> {
    const { requests, bytes } = await weightOf(page, consoleUrl(path));
    expect(requests).toBe(1);
    expect(bytes).toBeLessThanOrEqual(mostBytes);
    await expectAccessibleEverywhere(page);
  }

  test('the audit page filters, and saves a file, without JavaScript', async () => {
    await signIn(false);
    await page.getByRole('link', { name: 'Audit' }).click();
    await seeHeading(page, 'Audit');
    await page.getByLabel('Act').selectOption('application.created');
    await page.getByRole('button', { name: 'Show' }).click();
    await expect.poll(() => page.getByRole('row').count()).toBeGreaterThan(1);
    expect(await page.getByRole('row').allInnerTexts()).toContainEqual(
      expect.stringMatching(/application created/),
    );
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Save as CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('audit.csv');
  });

  /** Records a transfer of the price of the plan, which waits: its payer names nothing. */
  const recordTransfer = (paymentId: string) =>
    pages.world.send('POST', '/api/v1/payments', {
      key: pages.world.application.apiKey,
      body: {
        reference: 'rent of November',
        amount: 19,
        currency: 'EUR',
        valueDate: new Date().toISOString(),
        method: 'bank_transfer',
        paymentId,
        payer: { name: 'A <b>stranger</b>' },
      },
    });

  test('finance applies a payment that waits, and saves the books, without JavaScript', async () => {
    const { subscriptionId } = await pages.world.newSubscription('finance-client');
    const key = pages.world.application.apiKey;
    const { subscription } = await pages.world.send('GET', `/api/v1/subscriptions/${subscriptionId}`, {
      key,
    });
    await recordTransfer('finance-1');
    await signIn(false);
    await page.getByRole('link', { name: 'Money' }).click();
    await seeHeading(page, 'Money');
    const path = `/money/${pages.world.application.clientId}`;
    await page.goto(consoleUrl(path));
    await page.getByLabel('Invoice (id)').fill(subscription.invoices[0]._id);
    await page.getByLabel('Reason').fill('The payer named it in a mail.');
    await page.getByRole('button', { name: 'Apply EUR 19.00' }).click();
    await expect.poll(() => page.getByRole('status').innerText()).toMatch(/was applied/);
    await expect.poll(() => page.getByText('No payment waits for a decision.').isVisible()).toBe(true);
    const [journal] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save as CSV' }).click(),
    ]);
    expect(journal.suggestedFilename()).toBe('journal.csv');
    await page.getByText('The figures in EUR').click();
    await expect.poll(() => page.getByRole('cell', { name: 'EUR 19.00' }).first().isVisible()).toBe(true);
  });

  test('each page is light, and accessible in each width and scheme', async () => {
    await pages.world.newSubscription('finance-other');
    for (let n = 2; n <= 11; n += 1) await recordTransfer(`finance-${n}`);
    const money = `/money/${pages.world.application.clientId}`;
    await signIn(true);
    for (const path of [
      '/audit',
      '/audit?from=x',
      '/audit?objectId=nothing',
      '/money',
      money,
      `${money}?file=journal&from=x`,
    ])
      await expectLightAndAccessible(path);
  });
});
