import type { Bill } from './checkout-store.ts';
import type { Status } from './subscription.ts';

/** Where an invoice stands for him who would pay it. */
export type Standing =
  | 'payable'
  | 'paid'
  /** Void or uncollectible, or its subscription has ended. */
  | 'closed'
  /** It waited for its first payment too long; the timer may be about to say so. */
  | 'lapsed'
  | 'paused';

const payable: ReadonlySet<Status> = new Set(['trialing', 'pending', 'active', 'past_due']);

export function standingOf({ invoice, subscription }: Bill, nowMs: number): Standing {
  if (invoice.status === 'paid') return 'paid';
  if (invoice.status !== 'open') return 'closed';
  const { status, lapsesAtMs = Number.POSITIVE_INFINITY } = subscription;
  if (status === 'paused') return 'paused';
  if (status === 'pending' && nowMs >= lapsesAtMs) return 'lapsed';
  return payable.has(status) ? 'payable' : 'closed';
}
