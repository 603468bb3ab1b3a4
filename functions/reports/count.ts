/** Counts what a revenue report states, page by page, from the index alone. */

import type { CreditNoteFacts } from '../invoices/credit-note-listing.ts';
import { type InvoiceStatus, invoiceStatuses } from '../invoices/invoice.ts';
import type { InvoiceFacts } from '../invoices/invoice-listing.ts';
import { paymentStatuses } from '../ledger/payment.ts';
import { type PaymentFacts, partlyReturned, whollyReturned } from '../ledger/payment-listing.ts';
import { firstPlace, statusOf } from '../shared/lists/listed-entry.ts';
import type { listedStore } from '../shared/lists/listed-store.ts';
import { isoTime } from '../shared/runtime/clock.ts';
import { dayMs } from '../shared/runtime/duration.ts';
import type { Facts, ListKind } from '../shared/table/listing.ts';
import { statuses } from '../subscriptions/record/subscription.ts';
import type { SubscriptionFacts } from '../subscriptions/record/subscription-listing.ts';
import { noFigures, type PartName, type ReportPeriod, type ReportRun, RevenueReport } from './revenue.ts';

/** A payment can be recorded before its value date: a bank announces it. */
const valueDateAheadMs = 30 * dayMs;

export const isCounted = ({ unread }: ReportRun): boolean => Object.keys(unread).length === 0;

/** A part of the index that a report reads. */
interface Part {
  kind: ListKind;
  statuses: readonly string[];
  add(report: RevenueReport, facts: Facts, status: string): void;
}

function part<F>(
  kind: ListKind,
  statuses: readonly string[],
  add: (report: RevenueReport, facts: F, status: string) => void,
): Part {
  return { kind, statuses, add: (report, facts, status) => add(report, facts as Facts as F, status) };
}

const arrived = paymentStatuses.filter((status) => status !== 'processing');
const returned = [...whollyReturned, partlyReturned];
const open = 'open' satisfies InvoiceStatus;
const addOpen = (report: RevenueReport, facts: InvoiceFacts) => report.addOpenInvoice(facts);
const addPayment = (report: RevenueReport, facts: PaymentFacts) => report.addPayment(facts);

/**
 * A report reads each entry once:
 * - all subscriptions: each can have begun, changed or ended in the period;
 * - invoices and credit notes that were issued in the period, and the open invoices before and after it;
 * - payments recorded since shortly before the period, and the earlier ones that were sent back.
 */
const parts = {
  subscriptions: part<SubscriptionFacts>('subscription', statuses, (report, facts) =>
    report.addSubscription(facts),
  ),
  invoices: part<InvoiceFacts>('invoice', invoiceStatuses, (report, facts, status) => {
    report.addInvoice(facts);
    if (status === open) report.addOpenInvoice(facts);
  }),
  openBefore: part('invoice', [open], addOpen),
  openAfter: part('invoice', [open], addOpen),
  creditNotes: part<CreditNoteFacts>('credit_note', ['issued'], (report, facts) =>
    report.addCreditNote(facts),
  ),
  payments: part('payment', [...arrived, partlyReturned], addPayment),
  returnedBefore: part('payment', returned, addPayment),
} as const satisfies Record<PartName, Part>;
const partNames = Object.keys(parts) as PartName[];

/** A report of which nothing is counted. */
export function newRun(applicationId: string, period: ReportPeriod, asOfMs: number): ReportRun {
  const from = isoTime(period.fromMs);
  const to = isoTime(period.toMs);
  const recordedFrom = isoTime(Math.max(0, period.fromMs - valueDateAheadMs));
  const end = isoTime(asOfMs + 1);
  return {
    applicationId,
    period,
    asOfMs,
    unread: {
      subscriptions: { from: firstPlace, to: end },
      invoices: { from, to },
      openBefore: { from: firstPlace, to: from },
      openAfter: { from: to, to: end },
      creditNotes: { from, to },
      payments: { from: recordedFrom, to: end },
      returnedBefore: { from: firstPlace, to: recordedFrom },
    },
    records: 0,
    figures: noFigures(),
  };
}

/**
 * Counts a page of each part that is left, all concurrently. A record keeps its place when its status changes, so a page is
 * the records of all states between two places: one that changes between two pages is counted once.
 *
 * @param pageEntries how many entries of each part are a page.
 */
export async function countPage(
  run: ReportRun,
  store: Pick<typeof listedStore, 'newestFirst'>,
  pageEntries: number,
): Promise<void> {
  const report = new RevenueReport(run.period, run.asOfMs, run.figures);
  const { applicationId, unread } = run;
  const count = async (name: PartName) => {
    const places = unread[name];
    if (places === undefined) return;
    const { kind, statuses, add } = parts[name];
    const { from, to } = places;
    let read = 0;
    for await (const entry of store.newestFirst({ applicationId, kind, statuses, from, to }, pageEntries)) {
      // The last entry of the page before.
      if (entry.listedAt === to) continue;
      add(report, entry.listed ?? {}, statusOf(entry));
      places.to = entry.listedAt;
      run.records += 1;
      read += 1;
      if (read === pageEntries) return;
    }
    delete unread[name];
  };
  await Promise.all(partNames.map(count));
}
