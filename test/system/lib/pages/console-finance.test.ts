import { expectAccessible, seeHeading } from '../../../support/browser/accessible.ts';
import { hasChromium } from '../../../support/browser/chromium.ts';
import { startPages } from '../../../support/browser/stack.ts';
import { camt, entryXml } from '../../../support/statements/bank-files.ts';

describe.skipIf(!hasChromium)('audit and money in Chromium (skipped where there is none)', () => {
  const pages = startPages('console-finance-owner');

  test('the audit page filters, and saves a file, without JavaScript', async () => {
    const page = await pages.openConsole('', { javaScript: false });
    await page.getByRole('link', { name: 'Audit' }).click();
    await seeHeading(page, 'Audit');
    await page.getByLabel('Action').selectOption('application.created');
    await page.getByRole('button', { name: 'Show' }).click();
    await expect.poll(() => new URL(page.url()).search).toContain('action=application.created');
    const [, ...rows] = await page.getByRole('row').allInnerTexts();
    expect(rows).not.toEqual([]);
    for (const row of rows) expect(row).toMatch(/application created/);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('audit.csv');
  });

  /** A client with an open invoice of 19 EUR. */
  async function newInvoice(externalId: string): Promise<{ invoiceId: string; reference: string }> {
    const { subscriptionId } = await pages.world.newSubscription(externalId);
    const { subscription } = await pages.api('GET', `/subscriptions/${subscriptionId}`);
    return { invoiceId: subscription.invoices[0]._id, reference: subscription.referenceNumber };
  }

  test('finance imports a statement, applies the rest, and saves the books, without JavaScript', async () => {
    const matched = await newInvoice('statement-1');
    const decided = await newInvoice('statement-2');
    const left = await newInvoice('statement-3');
    const texts = [`Thanks ${matched.reference}`, 'rent', 'a gift', 'other'];
    const entries = texts.map((text) => entryXml({ amount: '19.00', name: 'A <b>stranger</b>', text }));
    const page = await pages.openConsole('', { javaScript: false });
    const press = (name: string) => page.getByRole('button', { name }).click();
    const saved = async (role: 'button' | 'link', name: string) => {
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole(role, { name }).click(),
      ]);
      return file.suggestedFilename();
    };
    await page.getByRole('link', { name: 'Money' }).click();
    await seeHeading(page, 'Money');
    await page.goto(`${pages.world.url}/console/money/${pages.world.application.clientId}`);
    await page.getByRole('link', { name: 'Bank statements' }).click();
    await seeHeading(page, 'Bank statements');
    await press('Read the file');
    await expect.poll(() => page.getByRole('alert').innerText()).toBe('Choose a file.');
    const buffer = Buffer.from(camt(entries));
    await page
      .getByLabel('File', { exact: true })
      .setInputFiles({ name: 'day.xml', mimeType: 'text/xml', buffer });
    await press('Read the file');
    await seeHeading(page, 'Bank statement');
    await expectAccessible(page);
    await page.getByRole('group', { name: 'Decision about entry 4' }).getByLabel('Leave out').check();
    await page.locator('#other-2').fill(decided.invoiceId);
    await press('Save, then confirm');
    await seeHeading(page, 'Confirm the statement?');
    const applied = page.getByRole('row', { name: /^Applied/ });
    await expect.poll(() => applied.innerText()).toMatch(/2\s+EUR\s38\.00/);
    await expectAccessible(page);
    await page.getByLabel('Reason').fill('The day of 20 November.');
    await press('Confirm the statement');
    await seeHeading(page, 'Bank statement');
    // The page loads itself again while the import works.
    await expect.poll(() => page.getByText('4 of 4:').isVisible()).toBe(true);
    expect(await page.getByRole('progressbar', { name: 'Progress' }).getAttribute('value')).toBe('4');
    await expectAccessible(page);
    expect(await saved('link', 'Download the journal of today (CSV)')).toBe('journal.csv');

    await page.getByRole('link', { name: 'Apply unapplied payments: 1' }).click();
    await seeHeading(page, 'Money');
    await page.getByLabel(/nvoice id/).fill(left.invoiceId);
    await page.getByLabel('Reason').fill('The payer named it in a mail.');
    await press('Apply EUR 19.00');
    await expect.poll(() => page.getByRole('status').innerText()).toMatch(/was applied/);
    await expect.poll(() => page.getByText('No unapplied payments.').isVisible()).toBe(true);
    expect(await saved('button', 'Download CSV')).toBe('journal.csv');
    await page.getByText('The figures in EUR').click();
    await expect.poll(() => page.getByRole('cell', { name: 'EUR 57.00' }).first().isVisible()).toBe(true);
  });
});
