/** Reads what a revenue report counts, from the index alone. */
import { ApiError } from '../../shared/contract/errors.ts';
import { isoTime } from '../../shared/runtime/clock.ts';
import { dayMs } from '../../shared/runtime/duration.ts';
import type { Facts, ListKind } from '../../shared/table/listing.ts';
import type { CreditNoteFacts } from '../../subscriptions/invoices/credit-note-listing.ts';
import { invoiceStatuses } from '../../subscriptions/invoices/invoice.ts';
import type { InvoiceFacts } from '../../subscriptions/invoices/invoice-listing.ts';
import { firstPlace, lastPlace, type listedStore } from '../../subscriptions/lists/listed-store.ts';
import { paymentStatuses } from '../../subscriptions/payments/payment.ts';
import {
  type PaymentFacts,
  partlyReturned,
  whollyReturned,
} from '../../subscriptions/payments/payment-listing.ts';
import { statuses } from '../../subscriptions/state/subscription.ts';
import type { SubscriptionFacts } from '../../subscriptions/state/subscription-listing.ts';
import { maxEntriesOfReport } from './limit.ts';
import type { ReportPeriod, RevenueReport } from './revenue.ts';

/** A payment can be recorded before its value date: a bank announces it. */
const valueDateAheadMs = 30 * dayMs;

/**
 * Adds all facts of a period to a report. All states and shards are read concurrently, each entry once:
 * - all subscriptions: each can have begun, changed or ended in the period;
 * - invoices and credit notes that were issued in the period, and all open invoices;
 * - payments recorded since shortly before the period, and all that were sent back.
 *
 * @throws ApiError `limit_exceeded` when there are more entries than one report reads.
 */
export async function readFacts(
  applicationId: string,
  { fromMs, toMs }: ReportPeriod,
  report: RevenueReport,
  store: typeof listedStore,
): Promise<void> {
  let read = 0;
  const all = <F>(
    kind: ListKind,
    statuses: readonly string[],
    { from = firstPlace, to = lastPlace }: { from?: string; to?: string },
    add: (facts: F, listedAt: string) => void,
  ) =>
    store.readAll({ applicationId, kind, statuses, from, to }, (entries) => {
      read += entries.length;
      if (read > maxEntriesOfReport) throw tooMany();
      for (const { listed, listedAt } of entries) add((listed ?? {}) as Facts as F, listedAt);
    });
  const from = isoTime(fromMs);
  const to = isoTime(toMs);
  const recordedFrom = isoTime(Math.max(0, fromMs - valueDateAheadMs));
  const closed = invoiceStatuses.filter((status) => status !== 'open');
  const kept = paymentStatuses.filter(
    (status) => status !== 'processing' && !whollyReturned.includes(status),
  );
  await Promise.all([
    all<SubscriptionFacts>('subscription', statuses, {}, (facts) => report.addSubscription(facts)),
    all<InvoiceFacts>('invoice', closed, { from, to }, (facts) => report.addInvoice(facts)),
    all<InvoiceFacts>('invoice', ['open'], {}, (facts, listedAt) => {
      report.addOpenInvoice(facts);
      if (listedAt >= from && listedAt < to) report.addInvoice(facts);
    }),
    all<CreditNoteFacts>('credit_note', ['issued'], { from, to }, (facts) => report.addCreditNote(facts)),
    all<PaymentFacts>('payment', kept, { from: recordedFrom }, (facts) => report.addReceived(facts)),
    all<PaymentFacts>('payment', [...whollyReturned, partlyReturned], {}, (facts) => {
      report.addReceived(facts);
      report.addReturned(facts);
    }),
  ]);
}

const tooMany = () =>
  new ApiError('limit_exceeded', {
    details: {
      records: `are more than the ${maxEntriesOfReport} that one report counts; use the lists as CSV instead`,
    },
  });
