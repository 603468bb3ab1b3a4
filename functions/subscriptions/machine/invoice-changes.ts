import type { LaterPosting } from '../../invoices/due.ts';
import type { Invoice, InvoiceDates } from '../../invoices/invoice.ts';
import type { Entry } from '../../ledger/entry.ts';
import { settledAfter, settledMinor } from '../../ledger/settled.ts';
import { defined } from '../../shared/contract/defined.ts';
import type { EventOf } from '../../shared/contract/event-types.ts';
import type { Subscription } from '../record/subscription.ts';
import type { InvoiceUpdate } from './draft.ts';
import type { EventName } from './event.ts';

/** The events of an invoice that a change issues: a free term is paid at once. */
export function eventsOfIssued({ status }: Pick<Invoice, 'status'>): EventOf<'invoice'>[] {
  return status === 'paid' ? ['issued', 'paid'] : ['issued'];
}

/** The event of an invoice that a change updates. Without a new status, its dates have moved. */
export function eventOfUpdate(
  event: EventName,
  { status }: Pick<InvoiceUpdate, 'status'>,
): EventOf<'invoice'> {
  if (event === 'payment_reversed' && status !== undefined) return 'payment_reversed';
  switch (status) {
    case 'paid':
    case 'uncollectible':
    case 'refunded':
      return status;
    case 'void':
      return 'voided';
    default:
      return 'updated';
  }
}

/** An invoice after an update and the entries of its change, which are one event. */
export function updatedInvoice(
  { settled: former, postings: earlier = [], ...invoice }: Invoice,
  update: InvoiceUpdate,
  { next: { updatedAtMs }, books }: Pick<InvoiceChanges, 'next' | 'books'>,
): Invoice {
  const settled = settledAfter(former, invoice.n, books);
  const postedMinor = settledMinor(former) - settledMinor(settled);
  const postings: LaterPosting[] =
    postedMinor === 0 ? [...earlier] : [...earlier, [updatedAtMs, postedMinor]];
  const datesAtIssue = invoice.datesAtIssue ?? movedDates(invoice, update);
  return {
    ...invoice,
    ...defined({ settled, postings: postings.length > 0 ? postings : undefined, datesAtIssue }),
    ...update,
    eventCount: invoice.eventCount + 1,
  };
}

function movedDates(
  { dueAtMs, periodStartMs, periodEndMs }: InvoiceDates,
  update: Partial<InvoiceDates>,
): InvoiceDates | undefined {
  const isMoved =
    (update.dueAtMs ?? dueAtMs) !== dueAtMs ||
    (update.periodStartMs ?? periodStartMs) !== periodStartMs ||
    (update.periodEndMs ?? periodEndMs) !== periodEndMs;
  return isMoved ? { dueAtMs, ...defined({ periodStartMs, periodEndMs }) } : undefined;
}

/** Invoices as read, after a change that was written. It adds those that the change issued. */
export function invoicesAfter(change: InvoiceChanges, invoices: readonly Invoice[]): Invoice[] {
  const { next, issued, updated } = change;
  const after = invoices.map((invoice) => {
    const update = updated.find((one) => isOf(next, one, invoice));
    return update === undefined ? invoice : updatedInvoice(invoice, update, change);
  });
  return [...issued, ...after];
}

/** The invoice that an update is about, among those that were read. */
export function invoiceOf(
  subscription: Pick<Subscription, 'subscriptionId'>,
  update: Pick<InvoiceUpdate, 'n'>,
  invoices: readonly Invoice[],
): Invoice | undefined {
  return invoices.find((invoice) => isOf(subscription, update, invoice));
}

const isOf = (
  { subscriptionId }: Pick<Subscription, 'subscriptionId'>,
  { n }: Pick<InvoiceUpdate, 'n'>,
  invoice: Invoice,
) => invoice.subscriptionId === subscriptionId && invoice.n === n;

interface InvoiceChanges {
  readonly next: Subscription;
  readonly issued: readonly Invoice[];
  readonly updated: readonly InvoiceUpdate[];
  readonly books: readonly Entry[];
}
