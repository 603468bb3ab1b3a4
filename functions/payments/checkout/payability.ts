import { dueMinor } from '../../invoices/due.ts';
import type { Status } from '../../subscriptions/record/subscription.ts';
import type { PayableInvoice } from './store.ts';

export type Payability =
  | 'payable'
  | 'paid'
  /** Void or uncollectible, or its subscription has ended. */
  | 'closed'
  /** The deadline of the first payment has passed; the timer may not have closed the invoice yet. */
  | 'lapsed'
  | 'paused';

const payableStatuses: ReadonlySet<Status> = new Set(['trialing', 'pending', 'active', 'past_due']);

export function payabilityOf({ invoice, subscription }: PayableInvoice, nowMs: number): Payability {
  if (invoice.status === 'paid') return 'paid';
  if (invoice.status !== 'open') return 'closed';
  // Of a trial: the credit of the client covers it.
  if (invoice.settled !== undefined && dueMinor(invoice) === 0) return 'paid';
  if (subscription.status === 'paused') return 'paused';
  if (subscription.status === 'pending' && nowMs >= subscription.paymentDeadlineMs) return 'lapsed';
  return payableStatuses.has(subscription.status) ? 'payable' : 'closed';
}
