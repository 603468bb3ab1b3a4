import { defined } from '../../shared/contract/defined.ts';
import {
  formatDate,
  plainText,
  quoted,
  unlinkedText,
  withoutQuotationMarks,
} from '../../shared/html/text.ts';
import { formatAmount, formatIban, termLengths } from '../plans/format.ts';
import type { Banking, Invoice } from './invoice.ts';

export type Row = readonly [label: string, value: string];

/** The texts of an invoice in order, each on one line. The page and the PDF show the same texts. */
export interface InvoiceText {
  number: string;
  seller: string;
  /** Name, if known, and address. */
  customer: readonly string[];
  facts: readonly Row[];
  /** The status; undefined for an open invoice that was never paid. */
  stamp?: { text: string; tone: 'good' | 'quiet' | 'bad' };
  lines: readonly { description: string; term: string; quantity: string; amount: string }[];
  total: Row;
  payment: {
    heading: string;
    text: string;
    rows: readonly Row[];
    /** The payment reference of a bank transfer. */
    reference?: string;
  };
  footer: string;
}

/**
 * The texts of an invoice. What the application has written is never a link, which viewers of PDF would make of it, and is
 * in quotation marks where it stands in a sentence or for a product.
 */
export function invoiceText(invoice: Invoice): InvoiceText {
  const { number, status, currency, totalMinor, paymentReference, paidAtMs, customer } = invoice;
  const stamp = stampOf(invoice);
  return {
    number: plainText(number),
    seller: unlinkedText(invoice.seller.name),
    customer: [unlinkedText(customer.name ?? ''), plainText(customer.email)].filter((text) => text !== ''),
    facts: [
      ['Issued', formatDate(invoice.issuedAtMs)],
      ['Due', formatDate(invoice.dueAtMs)],
      ...(status === 'paid' && paidAtMs !== undefined ? [['Paid', formatDate(paidAtMs)] as const] : []),
      ['Subscription', plainText(paymentReference)],
    ],
    ...defined({ stamp }),
    lines: invoice.lines.map(({ description, quantity, amountMinor }) => ({
      description: quoted(description, Number.POSITIVE_INFINITY),
      term: termOf(invoice),
      quantity: String(quantity),
      amount: formatAmount(amountMinor, currency),
    })),
    total: [status === 'open' ? 'Amount due' : 'Total', formatAmount(totalMinor, currency)],
    payment: paymentOf(invoice),
    footer: `${plainText(number)} · ${unlinkedText(invoice.seller.name, 60)} · dates are in UTC`,
  };
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
  ];
  return rows.flatMap(([label, value]) => {
    const text = unlinkedText(withoutQuotationMarks(value ?? ''));
    return text === '' ? [] : [[label, text] as const];
  });
}

function stampOf({ status, reversed }: Invoice): InvoiceText['stamp'] {
  if (status === 'paid') return { text: 'PAID', tone: 'good' };
  if (status === 'void') return { text: 'VOID', tone: 'quiet' };
  if (status === 'uncollectible') return { text: 'NOT PAID', tone: 'bad' };
  return reversed ? { text: 'PAYMENT REVERSED', tone: 'bad' } : undefined;
}

/** "One month: 12 March 2026 to 12 April 2026". */
function termOf({ plan, periodStartMs, periodEndMs }: Invoice): string {
  const length = termLengths[plan.billingCycle];
  const words = length.charAt(0).toUpperCase() + length.slice(1);
  return periodStartMs === undefined || periodEndMs === undefined
    ? `${words}, starting once it is paid`
    : `${words}: ${formatDate(periodStartMs)} to ${formatDate(periodEndMs)}`;
}

function paymentOf(invoice: Invoice): InvoiceText['payment'] {
  const { status, paidAtMs, gateway, dueAtMs, paymentReference } = invoice;
  const seller = quoted(invoice.seller.name, 80) || 'the seller';
  const rows: Row[] = [];
  if (status === 'paid') {
    const when = paidAtMs === undefined ? '' : ` on ${formatDate(paidAtMs)}`;
    return { heading: 'Paid', text: `Paid in full${when}. Thank you.`, rows };
  }
  if (status !== 'open') {
    const why = status === 'void' ? 'This invoice is void' : 'This invoice was not paid and is closed';
    return { heading: 'Nothing to pay', text: `${why}. Please do not pay it any more.`, rows };
  }
  const amount = formatAmount(invoice.totalMinor, invoice.currency);
  const due = `${invoice.reversed ? 'An earlier payment was taken back. ' : ''}Please pay ${amount} by ${formatDate(dueAtMs)}`;
  const heading = 'How to pay';
  if (gateway !== 'none') {
    // The first invoice of a pending subscription is not mailed: its subscriber is sent to the payment page.
    const isMailed = invoice.periodStartMs !== undefined;
    const where = isMailed
      ? `: by the link in the mail that brought this invoice, or where you use ${seller}`
      : `, where you use ${seller}`;
    return { heading, rows, text: `${due} online${where}.` };
  }
  const banking = bankRows(invoice.seller.banking ?? { accountHolder: '', bankName: '' });
  const where =
    banking.length > 0 ? `to this account, which ${seller} has given` : `as agreed with ${seller}`;
  return {
    heading,
    text: `${due} ${where}, and name the payment reference, so that the payment can be matched.`,
    rows: banking,
    reference: plainText(paymentReference),
  };
}
