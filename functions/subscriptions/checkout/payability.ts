import type { Status } from '../lifecycle/subscription.ts';
import type { PayableInvoice } from './store.ts';

/** Where an invoice stands for him who would pay it. */
export type Payability =
  | 'payable'
  | 'paid'
  /** Void or uncollectible, or its subscription has ended. */
  | 'closed'
  /** It waited for its first payment too long; the timer may be about to say so. */
  | 'lapsed'
  | 'paused';

const payable: ReadonlySet<Status> = new Set(['trialing', 'pending', 'active', 'past_due']);

export function payabilityOf({ invoice, subscription }: PayableInvoice, nowMs: number): Payability {
  if (invoice.status === 'paid') return 'paid';
  if (invoice.status !== 'open') return 'closed';
  const { status, paymentDeadlineMs = Number.POSITIVE_INFINITY } = subscription;
  if (status === 'paused') return 'paused';
  if (status === 'pending' && nowMs >= paymentDeadlineMs) return 'lapsed';
  return payable.has(status) ? 'payable' : 'closed';
}
