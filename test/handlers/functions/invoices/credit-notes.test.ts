import type { CreditNote } from '../../../../functions/invoices/credit-note.ts';
import { creditNoteText } from '../../../../functions/invoices/document/content.ts';
import { taxOfPart } from '../../../../functions/invoices/tax.ts';
import * as keys from '../../../../functions/shared/contract/keys.ts';
import { getItem } from '../../../../functions/shared/table/table.ts';
import { subscriptionStore } from '../../../../functions/subscriptions/commands/subscription-store.ts';
import { decide } from '../../../../functions/subscriptions/machine/decide.ts';
import { call, germanSeller, germanTax, good, newSeller, type Tenant } from '../../../support/call.ts';
import { eventsOf } from '../../../support/events.ts';
import { putCreditNote, putInvoice } from '../../../support/lists/population.ts';
import { Seeded } from '../../../support/parallel/seeded.ts';
import { refund, reportOf, settlement } from '../../../support/payments/payments.ts';
import { readPdf } from '../../../support/subscriptions/pdf.ts';
import {
  creditNoteRecord,
  invoiceRecord,
  putSubscription,
  subscriptionRecord,
} from '../../../support/subscriptions/records.ts';

const tax = {
  ...germanTax,
  nationalCurrency: 'USD',
  exchangeRates: [{ currency: 'EUR', rate: 1.1, source: 'ECB, 20 November 2026' }],
};

const list = (tenant: Tenant, query: Record<string, string> = {}, accept = 'application/json') =>
  call('invoices.credit-note-list', { headers: { ...tenant.headers, accept }, query });

const listed = async (tenant: Tenant, query?: Record<string, string>) =>
  good(await list(tenant, query)).creditNotes as Record<string, unknown>[];

/** An invoice of 9.99 EUR with 1.60 EUR of tax, refunded in three parts. */
async function refundedInParts() {
  const tenant = await newSeller('sandbox', { seller: germanSeller, tax });
  const { externalId } = await tenant.subscribedTo();
  const report = await reportOf(tenant, externalId);
  expect(await settlement.recordPayment(report)).toBe('applied');
  for (const inAll of [333, 666, 999]) await refund(report, inAll);
  return { tenant, externalId };
}

test('the tax of credit notes is stated in the list, in the event and in the record, and adds up to that of the invoice', async () => {
  const { tenant, externalId } = await refundedInParts();
  const notes = await listed(tenant);
  const vat = { name: 'VAT', country: 'DE', percent: 19 };
  const national = { currency: 'USD', rate: 1.1, source: 'ECB, 20 November 2026' };
  expect(notes.toReversed()).toMatchObject([
    { total: 3.33, taxes: [{ ...vat, taxable: 2.8, tax: 0.53 }], nationalTax: { ...national, tax: 0.59 } },
    { total: 3.33, taxes: [{ ...vat, taxable: 2.79, tax: 0.54 }], nationalTax: { ...national, tax: 0.58 } },
    { total: 3.33, taxes: [{ ...vat, taxable: 2.8, tax: 0.53 }], nationalTax: { ...national, tax: 0.59 } },
  ]);
  const { invoices } = good(await call('invoices.list', { headers: tenant.headers, query: {} }));
  expect(invoices).toMatchObject([{ taxes: [{ tax: 1.6 }], nationalTax: { tax: 1.76 } }]);
  const told = (await eventsOf(tenant.applicationId)).map(({ data }) => data);
  for (const { externalId: client, ...note } of notes) {
    expect(client).toBe(externalId);
    expect(told).toContainEqual(note);
    const request = { headers: tenant.headers, params: { id: String(note._id) } };
    expect(good(await call('invoices.credit-note-read', request)).creditNote).toEqual(note);
  }
});

describe('the list of credit notes', () => {
  const issuedAtMs = Date.UTC(2026, 9, 10);
  const populated = async () => {
    const tenant = await newSeller();
    const { applicationId } = tenant;
    const of = (externalId: string) => invoiceRecord(subscriptionRecord({ applicationId, externalId }), 1);
    const ann = of('ann');
    const ben = of('ben');
    const notes = [
      creditNoteRecord(ann, 1, { issuedAtMs }),
      creditNoteRecord(ann, 2, { issuedAtMs: issuedAtMs + 1, reason: 'plan_change' }),
      creditNoteRecord(ben, 1, { issuedAtMs: Date.UTC(2026, 10, 1) }),
    ];
    await Promise.all(notes.map(putCreditNote));
    return { tenant, ids: notes.map(({ creditNoteId }) => creditNoteId) };
  };

  test.each([
    { query: {}, found: [2, 1, 0] },
    { query: { externalId: 'ann' }, found: [1, 0] },
    { query: { reason: 'refund' }, found: [2, 0] },
    { query: { reason: 'refund', externalId: 'ann' }, found: [0] },
    { query: { from: '2026-11-01' }, found: [2] },
    { query: { to: '2026-10-10' }, found: [1, 0] },
    { query: { externalId: 'nobody' }, found: [] },
  ])('is filtered by $query, newest first', async ({ query, found }) => {
    const { tenant, ids } = await populated();
    const shown = await listed(tenant, query as Record<string, string>);
    expect(shown.map(({ _id }) => _id)).toEqual(found.map((i) => ids[i]));
  });

  test.each([
    ['reason', { reason: 'kindness' }],
    ['limit', { limit: '101' }],
    ['from', { from: '2026-02-31' }],
    ['cursor', { cursor: 'x' }],
  ])('refuses a wrong %s', async (name, query) => {
    const { status, body } = await list(await newSeller(), query);
    expect([status, Object.keys(body.details)]).toEqual([400, [name]]);
  });
});

describe('the tax columns of CSV', () => {
  const rowsOf = (text: string) => {
    const [header = [], ...rows] = text
      .trimEnd()
      .split('\r\n')
      .map((line) => line.split(','));
    return rows.map((row) => Object.fromEntries(header.map((name, i) => [name, row[i]])));
  };
  const none = { taxable: '', tax: '', taxRate: '', taxCountry: '', reverseCharge: '' };

  test.each(['invoices.list', 'invoices.credit-note-list'])(
    '%s: tax, reverse charge and neither',
    async (route) => {
      const tenant = await newSeller();
      const { applicationId } = tenant;
      const of = (issuedAtMs: number, more: object) => {
        return invoiceRecord(subscriptionRecord({ applicationId }), 1, {
          totalMinor: 1_190,
          issuedAtMs,
          ...more,
        });
      };
      const vat = { name: 'VAT', country: 'DE', percent: 19, taxableMinor: 1_000, taxMinor: 190 };
      const invoices = [of(3, { taxes: [vat] }), of(2, { reverseCharge: true }), of(1, {})];
      await Promise.all(
        invoices.flatMap((one) => [
          putInvoice(one),
          putCreditNote(creditNoteRecord(one, 1, { issuedAtMs: one.issuedAtMs })),
        ]),
      );
      const headers = { ...tenant.headers, accept: 'text/csv' };
      const { text } = await call(route, { headers, query: {} });
      expect(rowsOf(text)).toMatchObject([
        { total: '11.90', taxable: '10.00', tax: '1.90', taxRate: '19', taxCountry: 'DE', reverseCharge: '' },
        { ...none, total: '11.90', reverseCharge: 'true' },
        { ...none, total: '11.90' },
      ]);
    },
  );
});

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

const read = (seller: Tenant, id: string) => call('invoices.credit-note-read', seller.callFor(id));

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
    const shown = good(await seller.details(subscription.subscriptionId)).subscription;
    expect(shown.creditNotes).toEqual([body.creditNote]);
  });

  test.each(['text/html', 'application/pdf'])('shows its part of the tax as %s', async (accept) => {
    const { seller, invoice, creditNote } = await withCreditNote();
    const request = seller.callFor(creditNote.creditNoteId);
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
    const { timeline } = good(await seller.details(subscription.subscriptionId)).subscription;
    expect(timeline.at(-1).creditNotes).toEqual(['CN-000001']);
  });
});
