import type { recordId as newId } from '../shared/record-id.ts';
import { type Change, type Circumstances, decide } from './change.ts';
import type { Client } from './client.ts';
import { effects } from './effects.ts';
import type { Event } from './lifecycle.ts';
import type { Subscription } from './subscription.ts';

/** What an event does to a subscription now; see {@link decide}. */
export function decideOn(
  { client, subscription }: { client: Client; subscription: Subscription },
  asking: { event: Event } & Partial<Circumstances>,
  by: Circumstances['by'],
  { nowMs, recordId }: { nowMs: () => number; recordId: typeof newId },
): Change | 'holds' | undefined {
  const atMs = nowMs();
  const newInvoiceId = () => recordId('inv', atMs);
  return decide(subscription, { nowMs: atMs, client, newInvoiceId, ...asking, by }, effects);
}
