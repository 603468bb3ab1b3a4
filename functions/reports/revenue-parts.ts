import { type InvoiceStatus, invoiceStatuses } from '../invoices/invoice.ts';
import type { CreditNoteFacts } from '../invoices/listing/credit-note-listing.ts';
import type { InvoiceFacts } from '../invoices/listing/invoice-listing.ts';
import type { JournalRecord } from '../ledger/journal-record.ts';
import { paymentStatuses } from '../ledger/payment.ts';
import { type PaymentFacts, partlyReturned, whollyReturned } from '../ledger/payment-listing.ts';
import { defined } from '../shared/contract/defined.ts';
import { firstPlace } from '../shared/lists/listed-entry.ts';
import { dayMs, isoTime } from '../shared/runtime/clock.ts';
import { monthStartMs } from '../shared/runtime/time-zone.ts';
import { statuses } from '../subscriptions/record/subscription.ts';
import type { SubscriptionFacts } from '../subscriptions/record/subscription-listing.ts';
import { part, type ReportKind } from './count.ts';
import type { ReportPeriod, ReportRun } from './report-run.ts';
import { noFigures, type ReportFigures, RevenueReport } from './revenue.ts';

/** A payment can be recorded before its value date: a bank announces it. */
const valueDateAheadMs = 30 * dayMs;

const arrived = paymentStatuses.filter((status) => status !== 'processing');
const returned = [...whollyReturned, partlyReturned];
const open = 'open' satisfies InvoiceStatus;
const addOpen = (report: RevenueReport, facts: InvoiceFacts) => report.addOpenInvoice(facts);
const addPayment = (report: RevenueReport, facts: PaymentFacts) => report.addPayment(facts);

/**
 * A report reads each entry once:
 * - all subscriptions: each can have begun, changed or ended in the period;
 * - invoices and credit notes that were issued in the period, and the open invoices before and after it;
 * - the journal of the period, for what settles invoices;
 * - payments recorded since shortly before the period, and the earlier ones that were sent back.
 */
const parts = {
  subscriptions: part('subscription', statuses, (report: RevenueReport, facts: SubscriptionFacts) =>
    report.addSubscription(facts),
  ),
  invoices: part('invoice', invoiceStatuses, (report: RevenueReport, facts: InvoiceFacts, status) => {
    report.addInvoice(facts);
    if (status === open) report.addOpenInvoice(facts);
  }),
  openBefore: part('invoice', [open], addOpen),
  openAfter: part('invoice', [open], addOpen),
  creditNotes: part('credit_note', ['issued'], (report: RevenueReport, facts: CreditNoteFacts) =>
    report.addCreditNote(facts),
  ),
  journal: part('journal', ['booked'], (report: RevenueReport, { entries }: JournalRecord) => {
    for (const entry of entries) report.addEntry(entry);
  }),
  payments: part('payment', [...arrived, partlyReturned], addPayment),
  returnedBefore: part('payment', returned, addPayment),
};

export const revenueReport: ReportKind<ReportFigures, RevenueReport> = {
  parts,
  counterOf: ({ period, asOfMs, figures }) => new RevenueReport(period, asOfMs, figures),
};

export function newRun(
  applicationId: string,
  period: ReportPeriod,
  asOfMs: number,
): ReportRun<ReportFigures> {
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
      journal: { from, to },
      payments: { from: recordedFrom, to: end },
      returnedBefore: { from: firstPlace, to: recordedFrom },
    } satisfies Record<keyof typeof parts, unknown>,
    records: 0,
    figures: noFigures(),
  };
}

export interface MonthFigures {
  readonly period: ReportPeriod;
  readonly figures: ReportFigures;
}

/** The recurring revenue of several months. Subscriptions are read once for all of them, and nothing else is. */
export const recurringReport: ReportKind<readonly MonthFigures[], readonly RevenueReport[]> = {
  parts: {
    subscriptions: part(
      'subscription',
      statuses,
      (months: readonly RevenueReport[], facts: SubscriptionFacts) => {
        for (const month of months) month.addSubscription(facts);
      },
    ),
  },
  counterOf: ({ asOfMs, figures: months }) =>
    months.map(({ period, figures }) => new RevenueReport(period, asOfMs, figures)),
};

/** A report of the months up to the present one, of which nothing is counted. */
export function newRecurringRun(
  applicationId: string,
  months: number,
  asOfMs: number,
  timeZone?: string,
): ReportRun<readonly MonthFigures[]> {
  const startMs = (i: number) => monthStartMs(asOfMs, timeZone, i + 1 - months);
  const figures = Array.from({ length: months }, (_, i) => ({
    period: { fromMs: startMs(i), toMs: Math.min(startMs(i + 1), asOfMs), ...defined({ timeZone }) },
    figures: noFigures(),
  }));
  return {
    applicationId,
    period: { fromMs: startMs(0), toMs: asOfMs },
    asOfMs,
    unread: { subscriptions: { from: firstPlace, to: isoTime(asOfMs + 1) } },
    records: 0,
    figures,
  };
}
