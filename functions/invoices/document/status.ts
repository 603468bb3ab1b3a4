import { formatDate, plainText } from '../../shared/html/text.ts';
import { formatAmount } from '../../shared/money/format.ts';
import type { CreditNote } from '../credit-note.ts';
import { dueMinor } from '../due.ts';
import type { Invoice } from '../invoice.ts';
import { type IssuedInvoice, issuedInvoice } from './issued.ts';
import type { Row } from './row.ts';

/** The texts of what happened to an invoice since its issue. They are shown beside its document, never in it. */
export interface StatusText {
  stamp?: { text: string; tone: 'good' | 'quiet' | 'bad' };
  text?: string;
  rows: readonly Row[];
}

/**
 * The status of an invoice now; undefined when nothing has happened since its issue.
 *
 * @param creditNotes those that correct the invoice.
 */
export function statusText(invoice: Invoice, creditNotes: readonly CreditNote[]): StatusText | undefined {
  const issued = issuedInvoice(invoice);
  const outcome = outcomeOf(invoice, issued);
  const rows = [
    ...moneyRows(invoice, issued),
    ...creditNotes.map((note) => creditRow(note, invoice)),
    ...dueRows(invoice, issued),
    ...termRows(invoice, issued),
  ];
  return outcome === undefined && rows.length === 0 ? undefined : { ...outcome, rows };
}

function outcomeOf(invoice: Invoice, issued: IssuedInvoice): Omit<StatusText, 'rows'> | undefined {
  const { status, paidAtMs, seller, reversed } = invoice;
  switch (status) {
    case 'paid': {
      const when = paidAtMs === undefined ? '' : ` on ${formatDate(paidAtMs, seller)}`;
      const paid = { text: 'PAID', tone: 'good' } as const;
      return issued.dueMinor > 0 ? { stamp: paid, text: `Paid in full${when}. Thank you.` } : undefined;
    }
    case 'void':
      return {
        stamp: { text: 'VOID', tone: 'quiet' },
        text: 'This invoice is void. Please do not pay it any more.',
      };
    case 'refunded':
      return { stamp: { text: 'REFUNDED', tone: 'quiet' }, text: 'The payment was returned.' };
    case 'uncollectible':
      return {
        stamp: { text: 'NOT PAID', tone: 'bad' },
        text: `This invoice was not paid and is closed. ${reversed || invoice.isGranted ? 'Its term was granted, so the amount is still owed.' : 'Please do not pay it any more.'}`,
      };
    case 'open':
      return reversed
        ? { stamp: { text: 'PAYMENT REVERSED', tone: 'bad' }, text: 'An earlier payment was taken back.' }
        : undefined;
  }
}

function moneyRows({ status, settled = {}, currency }: Invoice, { fromCreditMinor }: IssuedInvoice): Row[] {
  if (status !== 'open') return [];
  const amounts = [
    ['Received', (settled.paidMinor ?? 0) - (settled.refundedMinor ?? 0)],
    ['Paid from credit since', (settled.fromCreditMinor ?? 0) - fromCreditMinor],
  ] as const;
  return amounts.flatMap(([name, minor]) => (minor > 0 ? [[name, formatAmount(minor, currency)]] : []));
}

function creditRow({ number, totalMinor, currency, issuedAtMs }: CreditNote, { seller }: Invoice): Row {
  const amount = formatAmount(totalMinor, currency);
  return ['Credited', `${amount} by credit note ${plainText(number)} of ${formatDate(issuedAtMs, seller)}`];
}

function dueRows(invoice: Invoice, issued: IssuedInvoice): Row[] {
  if (invoice.status !== 'open') return [];
  const nowMinor = dueMinor(invoice);
  const { dueAtMs, seller, reversed, currency } = invoice;
  const amount: Row = ['Due now', formatAmount(nowMinor, currency)];
  const date: Row = ['Due date now', formatDate(dueAtMs, seller)];
  return [
    ...(reversed || nowMinor !== issued.dueMinor ? [amount] : []),
    ...(dueAtMs === issued.dates.dueAtMs ? [] : [date]),
  ];
}

function termRows({ periodStartMs, periodEndMs, seller }: Invoice, { dates }: IssuedInvoice): Row[] {
  if (periodStartMs === undefined || periodEndMs === undefined) return [];
  if (periodStartMs === dates.periodStartMs && periodEndMs === dates.periodEndMs) return [];
  return [['Term', `${formatDate(periodStartMs, seller)} to ${formatDate(periodEndMs, seller)}`]];
}
