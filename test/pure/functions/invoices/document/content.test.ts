/** The content of invoices and credit notes, as text that people review: content.txt. `npx vitest run -u` writes it. */
import fc from 'fast-check';
import type { CreditNote } from '../../../../../functions/invoices/credit-note.ts';
import {
  bankRows,
  creditNoteText,
  type IssuedDocument,
  invoiceText,
} from '../../../../../functions/invoices/document/content.ts';
import { issuedInvoice } from '../../../../../functions/invoices/document/issued.ts';
import { statusText } from '../../../../../functions/invoices/document/status.ts';
import { transferCode } from '../../../../../functions/invoices/document/transfer-code.ts';
import { isCreditorReference } from '../../../../../functions/invoices/document/transfer-reference.ts';
import { dueMinor, sumDueMinor } from '../../../../../functions/invoices/due.ts';
import type { Invoice } from '../../../../../functions/invoices/invoice.ts';
import { taxOfPart } from '../../../../../functions/invoices/tax.ts';
import { dayMs } from '../../../../../functions/shared/runtime/clock.ts';
import { anInvoice } from '../../../../support/subscriptions/invoices.ts';
import { creditNoteRecord, soldPlan } from '../../../../support/subscriptions/sold.ts';

const vat = { name: 'VAT', country: 'FI', percent: 25.5, taxableMinor: 103_506, taxMinor: 26_394 };
const nationalTax = {
  currency: 'EUR',
  taxMinor: 24_324,
  rate: 0.92155,
  source: 'European Central Bank, 20 November 2026',
};
const inclusive = { taxes: [vat], pricesInclude: 'inclusive' } as const;
const lines = [
  { description: 'Unused time: Pro', quantity: 2, amountMinor: -30_100 },
  { description: 'Remaining time: Team', quantity: 3, amountMinor: 160_000 },
];
const { seller } = anInvoice();
const address = {
  line1: 'Main Street 1',
  line2: 'c/o Ann',
  postalCode: '00100',
  city: 'Helsinki',
  region: 'Uusimaa',
  country: 'FI',
};
const legal = { legalName: 'Acme Notes Oy', address, vatId: 'FI12345671', registration: 'Register 1' };
const paid = { status: 'paid', paidAtMs: anInvoice().dueAtMs } as const;
const { periodStartMs: _, periodEndMs: __, ...first } = anInvoice();

const invoices: Record<string, Invoice> = {
  'an open invoice by transfer': anInvoice(),
  'an open invoice at a gateway': anInvoice({ gateway: 'stripe' }),
  'a first invoice at a gateway': { ...first, n: 1, gateway: 'stripe' },
  'a first invoice at a gateway, which is mailed when it is paid': anInvoice({
    ...paid,
    n: 1,
    gateway: 'stripe',
    dueAtMs: anInvoice().issuedAtMs + dayMs,
    datesAtIssue: { dueAtMs: anInvoice().issuedAtMs + dayMs },
  }),
  'a first invoice at a gateway, of a term that begins later': anInvoice({
    n: 1,
    gateway: 'stripe',
    dueAtMs: anInvoice().issuedAtMs + dayMs,
  }),
  'the first invoice of a trial at a gateway': anInvoice({ n: 1, gateway: 'stripe' }),
  'an invoice without an account': anInvoice({ seller: { name: '' } }),
  'an account in another country': anInvoice({
    currency: 'SEK',
    seller: {
      name: 'Acme',
      banking: { accountHolder: 'Acme "www.acme.example"', bankName: '', iban: 'se45 5000' },
    },
  }),
  'a paid invoice with tax': anInvoice({
    ...paid,
    ...inclusive,
    seller: { ...seller, legal },
    customer: {
      email: 'a@b.example',
      address: { line1: 'Weg 2', city: 'Berlin', country: 'DE' },
      vatId: 'DE123456789',
    },
  }),
  'a paid invoice without its time': anInvoice({ status: 'paid' }),
  'lines with tax in their prices': anInvoice({ lines, ...inclusive }),
  'lines with tax beside their prices': anInvoice({ lines, taxes: [vat], pricesInclude: 'exclusive' }),
  'nothing to pay, with tax in the price': anInvoice({
    totalMinor: 0,
    lines: [{ description: 'Free', quantity: 0, amountMinor: 0 }],
    ...inclusive,
    taxes: [{ ...vat, taxableMinor: 0, taxMinor: 0 }],
  }),
  'tax in the national currency too': anInvoice({ ...inclusive, currency: 'USD', nationalTax }),
  'an exemption': anInvoice({ taxes: [{ ...vat, percent: 0, taxMinor: 0, exemption: 'Article 44' }] }),
  'a reverse charge': anInvoice({ reverseCharge: true }),
  'a part that was received, and a part by credit': anInvoice({
    settled: { paidMinor: 20_000, fromCreditMinor: 10_000, creditNotedMinor: 5_000 },
  }),
  'a part by credit at its issue, and more since': anInvoice({
    settled: { fromCreditMinor: 15_000 },
    settledAtIssue: { fromCreditMinor: 10_000 },
  }),
  'a part that was refunded': anInvoice({ settled: { creditNotedMinor: 5_000 } }),
  'a debt': anInvoice({ settled: { carriedMinor: 500 }, settledAtIssue: { carriedMinor: 500 } }),
  'a debt that was paid': anInvoice({
    ...paid,
    settled: { paidMinor: 130_399, carriedMinor: 500, creditNotedMinor: 1 },
    settledAtIssue: { carriedMinor: 500 },
  }),
  'credit that paid it at its issue': anInvoice({
    ...paid,
    settled: { fromCreditMinor: 129_900 },
    settledAtIssue: { fromCreditMinor: 129_900 },
  }),
  'dates that have moved': anInvoice({
    dueAtMs: anInvoice().dueAtMs + 7 * dayMs,
    periodStartMs: anInvoice().dueAtMs + 7 * dayMs,
    datesAtIssue: { dueAtMs: anInvoice().dueAtMs },
  }),
  'a reversed payment': anInvoice({ reversed: true }),
  'a void invoice': anInvoice({ status: 'void' }),
  'an invoice that was not paid': anInvoice({ status: 'uncollectible', reversed: true }),
  'a refunded invoice': anInvoice({ status: 'refunded' }),
};
const note = (invoice: Invoice, more: Partial<CreditNote> = {}) =>
  creditNoteRecord(invoice, 1, { issuedAtMs: invoice.issuedAtMs, ...more });
/** A credit note of a part of an invoice, after others of `fromMinor`. */
const partNote = (invoice: Invoice, fromMinor: number, more: { totalMinor: number } & Partial<CreditNote>) =>
  creditNoteText(
    note(invoice, { ...taxOfPart(invoice, { fromMinor, amountMinor: more.totalMinor }), ...more }),
    invoice,
  );
const notesOf = (): Record<string, IssuedDocument> => ({
  'a credit note of a refund': creditNoteText(note(anInvoice()), anInvoice()),
  'a credit note of a change of plan, the second of its invoice': partNote(
    anInvoice({ ...inclusive, ...paid }),
    50_000,
    { reason: 'plan_change', totalMinor: 30_001 },
  ),
  'a credit note with tax in the national currency': partNote(
    anInvoice({ ...inclusive, ...paid, currency: 'USD', nationalTax }),
    0,
    { totalMinor: 64_950 },
  ),
});

/** The texts of an invoice, a line each. */
function shown(text: object, indent = '  '): string[] {
  return Object.entries(text).flatMap(([name, value]) => {
    if (typeof value !== 'object') return [`${indent}${name}: ${String(value).replaceAll('\n', ' / ')}`];
    const items: readonly unknown[] = Array.isArray(value) ? value : [value];
    return items.flatMap((item) =>
      typeof item === 'object' && item !== null && !Array.isArray(item)
        ? [`${indent}${name}`, ...shown(item, `${indent}  `)]
        : [`${indent}${name}: ${Array.isArray(item) ? item.join(' = ') : item}`],
    );
  });
}

test('invoices and credit notes say what was sold, what is owed, and how to pay it', async () => {
  const texts = [
    ...Object.entries(invoices).map(([name, one]) => [name, invoiceText(one)] as const),
    ...Object.entries(notesOf()),
  ];
  const usual = shown(invoiceText(anInvoice()));
  const all = texts.flatMap(([name, text], i) => {
    const own = shown(text);
    const missing = usual
      .filter((line) => !own.includes(line))
      .map((line) => line.trim().split(/ =|: (?!.* =)/)[0]);
    const differing = own.filter((line) => i === 0 || !usual.includes(line));
    return [name, ...differing, ...(missing.length === 0 ? [] : [`  without ${missing.join(', ')}`]), ''];
  });
  const lengths = ['weekly', 'monthly', 'quarterly', 'semiannual', 'annual'] as const;
  const statuses = Object.entries(invoices).flatMap(([name, invoice]) => {
    const notes = invoice.settled?.creditNotedMinor === undefined ? [] : [note(invoice)];
    const status = statusText(invoice, notes);
    return status === undefined ? [] : [`since ${name}`, ...shown(status), ''];
  });
  const terms = lengths.map(
    (billingCycle) => invoiceText({ ...first, plan: { ...soldPlan, billingCycle } }).lines[0]?.term,
  );
  await expect(
    `${[...all, ...statuses, ...terms].join('\n').replaceAll('\u00a0', ' ')}\n`,
  ).toMatchFileSnapshot('content.txt');
});

test('the document of an invoice is the same whatever happened since its issue', () => {
  const issued = invoiceText(anInvoice());
  const { dueAtMs, periodStartMs = 0, periodEndMs = 0 } = anInvoice();
  const later: readonly Partial<Invoice>[] = [
    ...([paid, { status: 'void' }, { status: 'refunded' }, { status: 'uncollectible' }] as const),
    { reversed: true, checkoutId: 'cs_1', paymentId: 'pi_1', eventCount: 9, isGranted: true },
    { settled: { paidMinor: 1, fromCreditMinor: 2, creditNotedMinor: 3, carriedMinor: 4 } },
    {
      dueAtMs: dueAtMs + dayMs,
      periodStartMs: periodStartMs + dayMs,
      datesAtIssue: { dueAtMs, periodStartMs, periodEndMs },
    },
  ];
  for (const changes of later) expect(invoiceText(anInvoice(changes))).toEqual(issued);
});

test.each([
  [3, -4_410, '-EUR 14.70', '-EUR 44.10'],
  [3, -4_411, '-EUR 14.703', '-EUR 44.11'],
  [7, 1_000, 'EUR 1.429', 'EUR 10.00'],
  [10_000, 9_999, 'EUR 0.009999', 'EUR 99.99'],
])('%i units of %i cents in all cost %s each, and %s', (quantity, amountMinor, unitPrice, amount) => {
  const text = invoiceText(anInvoice({ lines: [{ description: 'Pro', quantity, amountMinor }] }));
  const plain = (value: string | undefined) => value?.replaceAll('\u00a0', ' ');
  expect([plain(text.lines[0]?.unitPrice), plain(text.lines[0]?.amount)]).toEqual([unitPrice, amount]);
});

test('the printed price of a unit times the quantity is the printed amount, rounded, of every line', () => {
  const quantities = fc.integer({ min: 1, max: 100_000 });
  const amounts = fc.integer({ min: -100_000_000_000, max: 100_000_000_000 });
  const cents = (text: string | undefined) => {
    const [, sign, whole, decimals = ''] =
      /^(-?)EUR\u00a0(\d+)\.(\d+)$/.exec(text?.replaceAll(',', '') ?? '') ?? [];
    return { value: BigInt(`${sign}${whole}${decimals}`), scale: 10n ** BigInt(decimals.length - 2) };
  };
  fc.assert(
    fc.property(quantities, amounts, (quantity, amountMinor) => {
      const [line] = invoiceText(anInvoice({ lines: [{ description: 'Pro', quantity, amountMinor }] })).lines;
      const unit = cents(line?.unitPrice);
      const distance = unit.value * BigInt(quantity) - cents(line?.amount).value * unit.scale;
      expect((distance < 0n ? -distance : distance) * 2n <= unit.scale).toBe(true);
    }),
  );
});

test('an account is shown without fields that are empty', () => {
  expect(bankRows({ accountHolder: '', bankName: 'Bank', iban: '' })).toEqual([['Bank', 'Bank']]);
});

test.each([
  [{ totalMinor: 100 }, 100],
  [{ totalMinor: 100, settled: { paidMinor: 30, creditNotedMinor: 20 } }, 50],
  [{ totalMinor: 100, settled: { paidMinor: 130, releasedMinor: 30 } }, 0],
  [{ totalMinor: 100, settled: { paidMinor: 130 } }, -30],
  [{ totalMinor: 100, settled: { fromCreditMinor: 30, writtenOffMinor: 1, carriedMinor: 30 } }, 99],
  [{ totalMinor: 100, settled: { cancelledMinor: 100 } }, 0],
])('of %j, %i is due', (amounts, due) => {
  expect(dueMinor(amounts)).toBe(due);
  const all = [amounts, amounts].map((one) => ({ ...one, currency: 'EUR' }));
  expect(sumDueMinor([...all, { totalMinor: 7, currency: 'USD' }], 'EUR')).toBe(2 * due);
});

test.each([
  [{ settledAtIssue: { fromCreditMinor: 129_899 } }, 'EUR0.01'],
  [{ settled: { paidMinor: 129_899 }, reversed: true }, 'EUR1299.00'],
  [{ totalMinor: 99_999_999_999 }, 'EUR999999999.99'],
  [
    { seller: { name: 'Acme', banking: { accountHolder: 'Acme', bankName: '', iban: 'fi21 1234' } } },
    'FI211234',
  ],
  [
    {
      seller: {
        name: 'Acme',
        banking: { accountHolder: 'Acme', bankName: '', iban: 'FI21', bic: 'exam fihh' },
      },
    },
    'EXAMFIHH',
  ],
])('the QR code of %j contains %s', (changes, text) => {
  expect(transferCode(issuedInvoice(anInvoice(changes)))?.split('\n')).toContain(text);
});

test.each([
  '',
  'RF',
  'XRF18539007547034',
  'RF18539007547034X',
  'RF18',
  'rf18539007547034',
  'RF185390075470345390075470',
])('a creditor reference is not %j', (text) => expect(isCreditorReference(text)).toBe(false));
