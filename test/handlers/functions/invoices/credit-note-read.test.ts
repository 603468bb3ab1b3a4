import { describe, expect, test } from 'vitest';
import type { CreditNote } from '../../../../functions/invoices/credit-note.ts';
import { creditNoteText } from '../../../../functions/invoices/document/content.ts';
import { taxOfPart } from '../../../../functions/invoices/tax.ts';
import * as keys from '../../../../functions/shared/contract/keys.ts';
import { getItem } from '../../../../functions/shared/table/table.ts';
import { subscriptionStore } from '../../../../functions/subscriptions/commands/subscription-store.ts';
import { decide } from '../../../../functions/subscriptions/machine/decide.ts';
import { call } from '../../../support/call.ts';
import { Seeded } from '../../../support/parallel/seeded.ts';
import { readPdf } from '../../../support/subscriptions/pdf.ts';
import {
  creditNoteRecord,
  invoiceRecord,
  putSubscription,
  subscriptionRecord,
} from '../../../support/subscriptions/records.ts';
import { callFor, details, good, newSeller } from '../../../support/subscriptions/requests.ts';

/** A paid invoice of 11.90 EUR with 19 % of tax, and a credit note of a part. */
async function withCreditNote(more: Partial<CreditNote> = {}) {
  const seller = await newSeller();
  const subscription = subscriptionRecord({ applicationId: seller.applicationId, creditNoteCount: 1 });
  const invoice = invoiceRecord(subscription, 1, {
    status: 'paid',
    totalMinor: 1_190,
    lines: [{ description: 'Pro', quantity: 1, amountMinor: 1_190 }],
    pricesInclude: 'inclusive',
    taxes: [{ name: 'VAT', country: 'DE', percent: 19, taxableMinor: 1_000, taxMinor: 190 }],
  });
  const creditNote = creditNoteRecord(invoice, 1, { totalMinor: 595, ...more });
  await putSubscription(subscription, { invoices: [invoice], creditNotes: [creditNote] });
  return { seller, subscription, invoice, creditNote };
}

/** Minor units of an amount of EUR as people see it. */
const minorOf = (text = '') => Math.round(Number(text.replaceAll(/[^\d.]/g, '')) * 100);

const read = (...args: Parameters<typeof callFor>) => call('invoices.credit-note-read', callFor(...args));

describe('a credit note', () => {
  test('names the invoice that it corrects, and is listed with its subscription', async () => {
    const { seller, subscription, invoice, creditNote } = await withCreditNote();
    const { body } = await read(seller, creditNote.creditNoteId);
    expect(body.creditNote).toEqual({
      _id: creditNote.creditNoteId,
      number: creditNote.number,
      subscriptionId: subscription.subscriptionId,
      invoiceId: invoice.invoiceId,
      invoice: invoice.number,
      reason: 'refund',
      currency: 'EUR',
      total: 5.95,
      taxes: [{ name: 'VAT', country: 'DE', percent: 19, taxable: 5, tax: 0.95 }],
      issuedAt: new Date(creditNote.issuedAtMs).toISOString(),
    });
    const shown = good(await details(seller, subscription.subscriptionId)).subscription;
    expect(shown.creditNotes).toEqual([body.creditNote]);
  });

  test.each(['text/html', 'application/pdf'])('shows its part of the tax as %s', async (accept) => {
    const { seller, invoice, creditNote } = await withCreditNote();
    const request = callFor(seller, creditNote.creditNoteId);
    const answer = await call('invoices.credit-note-read', {
      ...request,
      headers: { ...request.headers, accept },
    });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-disposition']).toContain(creditNote.number);
    const text =
      accept === 'text/html' ? answer.text : readPdf(Buffer.from(answer.text, 'base64')).texts.join(' ');
    for (const part of [
      'CREDIT NOTE',
      invoice.number,
      'VAT 19 % on EUR\u00a05.00',
      'EUR\u00a00.95',
      'EUR\u00a05.95',
    ])
      expect(text.replaceAll('\u00a0', ' ')).toContain(part.replaceAll('\u00a0', ' '));
  });

  test('is rounded so that those of one invoice add up to its tax, in any split', async () => {
    const random = new Seeded(15);
    for (let round = 0; round < 30; round += 1) {
      const taxMinor = 1 + random.below(500);
      const totalMinor = taxMinor + 1 + random.below(2_500);
      const taxes = [
        { name: 'VAT', country: 'DE', percent: 19, taxableMinor: totalMinor - taxMinor, taxMinor },
      ];
      const subscription = subscriptionRecord();
      const invoice = invoiceRecord(subscription, 1, { status: 'paid', totalMinor, taxes });
      let fromMinor = 0;
      let shownTaxMinor = 0;
      while (fromMinor < totalMinor) {
        const partMinor = 1 + random.below(totalMinor - fromMinor);
        const part = taxOfPart(invoice, { fromMinor, amountMinor: partMinor });
        const creditNote = creditNoteRecord(invoice, 1, { totalMinor: partMinor, ...part });
        const { sums } = creditNoteText(creditNote, invoice);
        shownTaxMinor += minorOf(sums[1]?.[1]);
        expect(minorOf(sums[0]?.[1]) + minorOf(sums[1]?.[1])).toBe(partMinor);
        fromMinor += partMinor;
      }
      expect(shownTaxMinor).toBe(taxMinor);
    }
  });

  test('of another application, or with a malformed id, is not found', async () => {
    const { creditNote, invoice } = await withCreditNote();
    const other = await newSeller();
    for (const id of [creditNote.creditNoteId, invoice.invoiceId, 'crn_1'])
      expect((await read(other, id)).status).toBe(404);
  });

  test("has the next number of the seller's series, is announced, and is named on the timeline", async () => {
    const seller = await newSeller();
    const subscription = subscriptionRecord({
      applicationId: seller.applicationId,
      seller: { name: 'Acme', series: { invoicePrefix: 'INV-', creditNotePrefix: 'CN-' } },
    });
    const invoice = invoiceRecord(subscription, 1, { status: 'paid' });
    await putSubscription(subscription, { invoices: [invoice] });
    const decision = decide(subscription, {
      event: 'cancel_at_period_end',
      by: 'application',
      nowMs: Date.now(),
      atMs: Date.now(),
      mails: 'sent',
      client: { email: 'ann@example.com' },
      newInvoiceId: () => 'inv_none',
      newCreditNoteId: () => 'crn_none',
    });
    if (decision.kind !== 'changed') throw new Error('The subscription was not cancelled');
    const creditNote = creditNoteRecord(invoice, 1);
    const change = { ...decision.change, creditNotes: [creditNote] };
    expect(await subscriptionStore.write([change], [invoice])).toBe(true);
    expect(good(await read(seller, creditNote.creditNoteId)).creditNote.number).toBe('CN-000001');
    const counters = await getItem(keys.invoiceSeries(seller.applicationId));
    expect(counters).toMatchObject({ invoices: 0, creditNotes: 1 });
    const { timeline } = good(await details(seller, subscription.subscriptionId)).subscription;
    expect(timeline.at(-1).creditNotes).toEqual(['CN-000001']);
  });
});
