import type { NewId } from '../shared/runtime/ids.ts';
import type { Client } from './clients/client.ts';
import { type Change, decide, type TransitionContext } from './lifecycle/decide.ts';
import { effects } from './lifecycle/effects.ts';
import type { Subscription } from './lifecycle/subscription.ts';
import type { Event } from './lifecycle/transitions.ts';

/** What an event does to a subscription now; see {@link decide}. */
export function decideFor(
  { client, subscription }: { client: Client; subscription: Subscription },
  asking: { event: Event } & Partial<TransitionContext>,
  by: TransitionContext['by'],
  { nowMs, newId }: { nowMs: () => number; newId: NewId },
): Change | 'holds' | undefined {
  const atMs = nowMs();
  const newInvoiceId = () => newId('inv', atMs);
  return decide(subscription, { nowMs: atMs, client, newInvoiceId, ...asking, by }, effects);
}
