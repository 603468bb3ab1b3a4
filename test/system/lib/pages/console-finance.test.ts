import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { expectAccessibleEverywhere } from '../../../support/browser/accessible.ts';
import { hasChromium } from '../../../support/browser/chromium.ts';
import { seeHeading } from '../../../support/browser/read.ts';
import { type PagesStack, startPagesStack } from '../../../support/browser/stack.ts';
import { weightOf } from '../../../support/browser/weight.ts';
import { camt, entryXml } from '../../../support/statements/bank-files.ts';

const mostBytes = 30 * 1_024;
/** Five pages in each width and scheme, on a busy machine. */
const pagesTimeoutMs = 300_000;

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
    await page.getByLabel('Action').selectOption('application.created');
    await page.getByRole('button', { name: 'Show' }).click();
    await expect.poll(() => page.getByRole('row').count()).toBeGreaterThan(1);
    expect(await page.getByRole('row').allInnerTexts()).toContainEqual(
      expect.stringMatching(/application created/),
    );
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download CSV' }).click(),
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
    await page.getByLabel('Invoice id').fill(subscription.invoices[0]._id);
    await page.getByLabel('Reason').fill('The payer named it in a mail.');
    await page.getByRole('button', { name: 'Apply EUR 19.00' }).click();
    await expect.poll(() => page.getByRole('status').innerText()).toMatch(/was applied/);
    await expect.poll(() => page.getByText('No unapplied payments.').isVisible()).toBe(true);
    const [journal] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download CSV' }).click(),
    ]);
    expect(journal.suggestedFilename()).toBe('journal.csv');
    await page.getByText('The figures in EUR').click();
    await expect.poll(() => page.getByRole('cell', { name: 'EUR 19.00' }).first().isVisible()).toBe(true);
  });

  /** A client with an open invoice of 19 EUR. */
  async function newInvoice(externalId: string): Promise<{ invoiceId: string; reference: string }> {
    const { subscriptionId } = await pages.world.newSubscription(externalId);
    const key = pages.world.application.apiKey;
    const { subscription } = await pages.world.send('GET', `/api/v1/subscriptions/${subscriptionId}`, {
      key,
    });
    return { invoiceId: subscription.invoices[0]._id, reference: subscription.referenceNumber };
  }

  test.each([
    ['without JavaScript', false],
    ['with JavaScript', true],
  ])(
    'finance imports a statement, applies the rest, and saves the journal of the day, %s',
    async (name, javaScript) => {
      const id = `statement-${javaScript ? 'script' : 'plain'}`;
      const matched = await newInvoice(`${id}-1`);
      const decided = await newInvoice(`${id}-2`);
      const left = await newInvoice(`${id}-3`);
      const entry = (text: string) => entryXml({ amount: '19.00', name: `Payer ${name}`, text });
      const file = camt([
        entry(`Thanks ${matched.reference}`),
        entry('rent'),
        entry('a gift'),
        entry('other'),
      ]);
      // Once is enough: the pages are the same with a script and without.
      const checked = async (path: string) => {
        if (javaScript) await expectLightAndAccessible(path);
      };
      await signIn(javaScript);
      const money = `/money/${pages.world.application.clientId}`;
      await page.goto(consoleUrl(money));
      await page.getByRole('link', { name: 'Bank statements' }).click();
      await seeHeading(page, 'Bank statements');
      await page.getByRole('button', { name: 'Read the file' }).click();
      await expect.poll(() => page.getByRole('alert').innerText()).toBe('Choose a file.');
      await page
        .getByLabel('File', { exact: true })
        .setInputFiles({ name: 'day.xml', mimeType: 'text/xml', buffer: Buffer.from(file) });
      await page.getByRole('button', { name: 'Read the file' }).click();
      await seeHeading(page, 'Bank statement');
      const shown = new URL(page.url()).pathname.replace(/^.*\/console/, '');
      await checked(shown);
      await checked(`${shown}?match=unknown`);
      await page.getByRole('group', { name: 'Decision about entry 4' }).getByLabel('Leave out').check();
      await page.locator('#other-2').fill(decided.invoiceId);
      await page.getByRole('button', { name: 'Save, then confirm' }).click();
      await seeHeading(page, 'Confirm the statement?');
      await expect
        .poll(() => page.getByRole('row', { name: /^Applied/ }).innerText())
        .toMatch(/2\s+EUR\s38\.00/);
      await checked(`${shown}?view=confirm`);
      await page.getByLabel('Reason').fill('The day of 20 November.');
      await page.getByRole('button', { name: 'Confirm the statement' }).click();
      await seeHeading(page, 'Bank statement');
      // The page loads itself again while the import works.
      await expect.poll(() => page.getByText('4 of 4:').isVisible(), { timeout: 60_000 }).toBe(true);
      expect(await page.getByRole('progressbar', { name: 'Progress' }).getAttribute('value')).toBe('4');
      await checked(shown);
      const [journal] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: 'Download the journal of today (CSV)' }).click(),
      ]);
      expect(journal.suggestedFilename()).toBe('journal.csv');
      await page.getByRole('link', { name: 'Apply unapplied payments: 1' }).click();
      await seeHeading(page, 'Money');
      await page.getByLabel(/nvoice id/).fill(left.invoiceId);
      await page.getByLabel('Reason').fill('The payer named it in a mail.');
      await page.getByRole('button', { name: 'Apply EUR 19.00' }).click();
      await expect.poll(() => page.getByRole('status').innerText()).toMatch(/was applied/);
      await expect.poll(() => page.getByText('No unapplied payments.').isVisible()).toBe(true);
      await checked(`${money}/statements`);
    },
    pagesTimeoutMs,
  );

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
