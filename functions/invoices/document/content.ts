import { termLengths } from '../../plans/term-lengths.ts';
import { defined } from '../../shared/contract/defined.ts';
import type { PostalAddress } from '../../shared/fields/postal-address.ts';
import {
  formatDate,
  plainText,
  quoted,
  unlinkedText,
  withoutQuotationMarks,
} from '../../shared/html/text.ts';
import { formatAmount, formatIban } from '../../shared/money/format.ts';
import type { CreditNote, CreditNoteReason } from '../credit-note.ts';
import type { Banking, Invoice, Seller } from '../invoice.ts';
import { sumOf } from '../tax.ts';
import { type IssuedInvoice, isMailedAtIssue, issuedInvoice } from './issued.ts';
import { netLines, unitPrice } from './net-amounts.ts';
import type { Row } from './row.ts';
import { notesOf, showsTax, taxRows } from './tax-rows.ts';
import { transferCode } from './transfer-code.ts';
import { transferReference } from './transfer-reference.ts';

/**
 * The texts of an invoice or a credit note in order, each on one line. The page and the PDF show the same texts. Each was true at
 * the issue; `status.ts` says what happened since.
 */
export interface IssuedDocument {
  title: 'Invoice' | 'Credit note';
  number: string;
  seller: string;
  /** Who sells by law: name, address, VAT id and registration. Empty without these settings. */
  sellerDetails: readonly string[];
  /** Name, if known, e-mail address, postal address and VAT id. */
  customer: readonly string[];
  facts: readonly Row[];
  /** On an invoice of which nothing was due at its issue. */
  stamp?: 'PAID';
  lines: readonly LineText[];
  /** Whether tax matters: the lines show their unit prices, and all amounts without tax. */
  isTaxed: boolean;
  /** Between the lines and the total. */
  sums: readonly Row[];
  total: Row;
  /** Notes that the law requires beyond the amounts, such as "Reverse charge". */
  notes: readonly string[];
  payment: {
    heading: string;
    text: string;
    rows: readonly Row[];
    reference?: string;
    qrCode?: string;
  };
  footer: string;
}

export interface LineText {
  description: string;
  term: string;
  quantity: string;
  unitPrice: string;
  amount: string;
}

/**
 * The texts of an invoice as it was issued. What the application has written is never a link, which viewers of PDF would make of it, and is
 * in quotation marks where it stands in a sentence or for a product.
 */
export function invoiceText(record: Invoice): IssuedDocument {
  const invoice = issuedInvoice(record);
  const { number, currency, paymentReference, dueMinor, paidAtMs } = invoice;
  const isDue = dueMinor > 0;
  return {
    title: 'Invoice',
    number: plainText(number),
    ...partiesOf(invoice),
    facts: [
      ['Issued', formatDate(invoice.issuedAtMs, invoice.seller)],
      ['Due', formatDate(invoice.dates.dueAtMs, invoice.seller)],
      ...(paidAtMs === undefined ? [] : [['Paid', formatDate(paidAtMs, invoice.seller)] as const]),
      ['Subscription', plainText(paymentReference)],
    ],
    ...defined({ stamp: isDue ? undefined : ('PAID' as const) }),
    lines: netLines(invoice).map((line) => {
      const { description, quantity, amountMinor } = line;
      const { minor, moreDecimals } = unitPrice(line);
      return {
        description: quoted(description, Number.POSITIVE_INFINITY),
        term: termOf(invoice),
        quantity: String(quantity),
        unitPrice: formatAmount(minor, currency, moreDecimals),
        amount: formatAmount(amountMinor, currency),
      };
    }),
    isTaxed: showsTax(invoice),
    sums: sumsOf(invoice),
    total: isDue
      ? ['Amount due', formatAmount(dueMinor, currency)]
      : ['Total', formatAmount(invoice.totalMinor, currency)],
    notes: notesOf(invoice),
    payment: paymentOf(invoice),
    footer: footerOf(number, invoice.seller),
  };
}

/** The texts of a credit note. @param invoice the one that it corrects. */
export function creditNoteText(creditNote: CreditNote, invoice: Invoice): IssuedDocument {
  const { number, totalMinor, currency, reason, sellerReason, issuedAtMs } = creditNote;
  const { taxes = [], nationalTax } = creditNote;
  const netMinor = totalMinor - sumOf(taxes);
  return {
    title: 'Credit note',
    number: plainText(number),
    ...partiesOf(invoice),
    facts: [
      ['Issued', formatDate(issuedAtMs, invoice.seller)],
      ['Corrects', plainText(creditNote.invoiceNumber)],
      ['Invoiced', formatDate(invoice.issuedAtMs, invoice.seller)],
      ['Subscription', plainText(invoice.paymentReference)],
    ],
    lines: [
      {
        description: `${creditTitles[reason]} invoice ${plainText(creditNote.invoiceNumber)}`,
        term: `${creditReasons[reason]}${sellerReason === undefined ? '' : `: ${quoted(sellerReason, 500)}`}`,
        quantity: '1',
        unitPrice: formatAmount(netMinor, currency),
        amount: formatAmount(netMinor, currency),
      },
    ],
    isTaxed: showsTax(creditNote),
    sums: taxRows(totalMinor, taxes, { currency, national: nationalTax }),
    total: ['Credit', formatAmount(totalMinor, currency)],
    notes: notesOf(creditNote),
    payment: { heading: 'Nothing to pay', text: creditWords[reason], rows: [] },
    footer: footerOf(number, invoice.seller),
  };
}

const creditReasons: Readonly<Record<CreditNoteReason, string>> = {
  refund: 'Refund',
  plan_change: 'Change of plan',
  correction: 'Correction',
  cancellation: 'The invoice is void',
};

const creditTitles: Readonly<Record<CreditNoteReason, string>> = {
  refund: 'Credit for',
  plan_change: 'Credit for',
  correction: 'Credit for',
  cancellation: 'Cancellation of',
};

const creditWords: Readonly<Record<CreditNoteReason, string>> = {
  refund: 'The amount was returned the way it was paid.',
  plan_change: 'The amount is your credit. The next invoice uses it.',
  correction: 'So much less is owed of the invoice. What was paid beyond the rest is your credit.',
  cancellation: 'Please do not pay the invoice any more. What was paid of it is your credit.',
};

const footerOf = (number: string, { name, timeZone = 'UTC' }: Seller) =>
  `${plainText(number)} · ${unlinkedText(name, 60)} · dates are in ${timeZone}`;

function partiesOf({
  seller,
  customer,
}: Pick<Invoice, 'seller' | 'customer'>): Pick<IssuedDocument, 'seller' | 'sellerDetails' | 'customer'> {
  const { legal } = seller;
  const vatId = (id: string | undefined) => (id === undefined ? '' : `VAT ID ${id}`);
  return {
    seller: unlinkedText(seller.name),
    sellerDetails: shownLines(
      legal && [legal.legalName, ...addressLines(legal.address), vatId(legal.vatId), legal.registration],
    ),
    customer: [
      ...shownLines([customer.name, ...addressLines(customer.address), vatId(customer.vatId)]),
      plainText(customer.email),
    ],
  };
}

const shownLines = (lines: readonly (string | undefined)[] | undefined) =>
  (lines ?? []).map((line) => unlinkedText(line ?? '')).filter((text) => text !== '');

/** Lines of an address, with the name of the country in English. */
function addressLines(address: PostalAddress | undefined): (string | undefined)[] {
  if (address === undefined) return [];
  const { line1, line2, postalCode = '', city, region, country } = address;
  const countryName = new Intl.DisplayNames('en', { type: 'region' }).of(country);
  return [line1, line2, `${postalCode} ${city}`.trim(), region, countryName];
}

function sumsOf(invoice: IssuedInvoice): Row[] {
  const { currency, totalMinor, taxes = [], nationalTax, carriedMinor, fromCreditMinor, dueMinor } = invoice;
  const rows = taxRows(totalMinor, taxes, { currency, national: nationalTax });
  if (dueMinor > 0 && dueMinor !== totalMinor) rows.push(['Total', formatAmount(totalMinor, currency)]);
  if (carriedMinor > 0) rows.push(['Owed from before', formatAmount(carriedMinor, currency)]);
  if (fromCreditMinor > 0) rows.push(['Paid from credit', formatAmount(-fromCreditMinor, currency)]);
  return rows;
}

/** Account details as rows of labels and values; empty fields are left out. */
export function bankRows(banking: Banking): Row[] {
  const rows: (readonly [string, string | undefined])[] = [
    ['Account holder', banking.accountHolder],
    ['Bank', banking.bankName],
    ['IBAN', banking.iban && formatIban(banking.iban)],
    ['BIC', banking.bic],
    ['Account number', banking.accountNumber],
    ['Branch code', banking.branchCode],
    ['Note', banking.instructions],
  ];
  return rows.flatMap(([label, value]) => {
    const text = unlinkedText(withoutQuotationMarks(value ?? ''));
    return text === '' ? [] : [[label, text] as const];
  });
}

/** "One month: 12 March 2026 to 12 April 2026". */
function termOf({ plan, seller, dates: { periodStartMs, periodEndMs } }: IssuedInvoice): string {
  const length = termLengths[plan.billingCycle];
  const words = length.charAt(0).toUpperCase() + length.slice(1);
  return periodStartMs === undefined || periodEndMs === undefined
    ? `${words}, starting once it is paid`
    : `${words}: ${formatDate(periodStartMs, seller)} to ${formatDate(periodEndMs, seller)}`;
}

function paymentOf(invoice: IssuedInvoice): IssuedDocument['payment'] {
  const { gateway, paymentReference, dueMinor, issuedAtMs, paidAtMs = issuedAtMs } = invoice;
  const seller = quoted(invoice.seller.name, 80) || 'the seller';
  const rows: Row[] = [];
  if (dueMinor <= 0) {
    const when = formatDate(paidAtMs, invoice.seller);
    return { heading: 'Paid', text: `Paid in full on ${when}. Thank you.`, rows };
  }
  // No date: a reminder brings the invoice after the due date, which is among the facts.
  const due = `Please pay ${formatAmount(dueMinor, invoice.currency)}`;
  const heading = 'How to pay';
  if (gateway !== 'none') {
    const where = isMailedAtIssue(invoice)
      ? `: by the link in the mail that brought this invoice, or where you use ${seller}`
      : `, where you use ${seller}`;
    return { heading, rows, text: `${due} online${where}.` };
  }
  const banking = bankRows(invoice.seller.banking ?? { accountHolder: '', bankName: '' });
  const rfReference = transferReference(invoice);
  const where =
    banking.length > 0 ? `to this account, which ${seller} has given` : `as agreed with ${seller}`;
  return {
    heading,
    text: `${due} ${where}, and name the payment reference, so that the payment can be matched.`,
    rows: rfReference === undefined ? banking : [...banking, ['RF reference', formatIban(rfReference)]],
    reference: plainText(paymentReference),
    ...defined({ qrCode: transferCode(invoice) }),
  };
}
