/** The report of receivables: what clients owe at a time, by currency and age. Pure; amounts in minor units. */
import { dueBeforeMinor } from '../invoices/due.ts';
import { type InvoiceStatus, invoiceStatuses } from '../invoices/invoice.ts';
import type { InvoiceFacts } from '../invoices/listing/invoice-listing.ts';
import { firstPlace } from '../shared/lists/listed-entry.ts';
import { isoTime } from '../shared/runtime/clock.ts';
import { ageOf, noAges, type ReceivablesFigures } from './ages.ts';
import { part, type ReportKind } from './count.ts';
import type { ReportRun } from './report-run.ts';

const open = 'open' satisfies InvoiceStatus;

/** The states that an invoice can be in now that was open at a time. @param atMs undefined for now. */
export const statusesSince = (atMs: number | undefined): readonly InvoiceStatus[] =>
  atMs === undefined ? [open] : invoiceStatuses;

/** The facts of an invoice in the index from which its outstanding amount follows. */
export type DueFacts = Pick<InvoiceFacts, 'totalMinor' | 'settledMinor' | 'postings'>;

/** The outstanding amount of an invoice at a time, by its facts of now. @param atMs undefined for now. */
export function outstandingMinor(
  { totalMinor, settledMinor = 0, postings }: DueFacts,
  status: string,
  atMs: number | undefined,
): number {
  const dueMinor = status === open ? totalMinor - settledMinor : 0;
  return atMs === undefined ? dueMinor : dueBeforeMinor({ dueMinor, postings }, atMs);
}

interface Counter {
  figures: ReceivablesFigures;
  toMs: number;
}

function add({ figures, toMs }: Counter, facts: InvoiceFacts, minor: number): void {
  if (minor === 0) return;
  figures[facts.currency] ??= noAges();
  const ages = figures[facts.currency];
  if (ages !== undefined) ages[ageOf(facts.dueAtMs, toMs)] += minor;
}

/** A report of now reads the open invoices. One of the past reads all that were issued by then. */
const parts = {
  open: part('invoice', statusesSince(undefined), (counter: Counter, facts: InvoiceFacts, status) =>
    add(counter, facts, outstandingMinor(facts, status, undefined)),
  ),
  issued: part('invoice', invoiceStatuses, (counter: Counter, facts: InvoiceFacts, status) =>
    add(counter, facts, outstandingMinor(facts, status, counter.toMs)),
  ),
};

export const receivablesReport: ReportKind<ReceivablesFigures, Counter> = {
  parts,
  counterOf: ({ figures, period: { toMs } }) => ({ figures, toMs }),
};

/** A report of which nothing is counted. @param atMs undefined for now. */
export function newReceivablesRun(
  applicationId: string,
  atMs: number | undefined,
  asOfMs: number,
): ReportRun<ReceivablesFigures> {
  const toMs = atMs ?? asOfMs;
  const name: keyof typeof parts = atMs === undefined ? 'open' : 'issued';
  // An invoice of the millisecond of the request is open now.
  const places = { from: firstPlace, to: isoTime(atMs ?? asOfMs + 1) };
  return {
    applicationId,
    period: { fromMs: 0, toMs },
    asOfMs,
    unread: { [name]: places },
    records: 0,
    figures: {},
  };
}
