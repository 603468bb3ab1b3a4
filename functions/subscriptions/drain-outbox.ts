import { scheduled } from '../shared/lambda/scheduled.ts';
import { sendMailWithAttachments } from '../shared/mail/mailer.ts';
import { clock } from '../shared/runtime/clock.ts';
import { checkoutUrl } from './checkout/link.ts';
import { subscriptionStore } from './engine/subscription-store.ts';
import { deliver } from './outbox/deliver.ts';
import { outboxStore } from './outbox/store.ts';
import { closeCheckout } from './stripe/expire-session.ts';
import { timers } from './timers.ts';

const drainDeps = () => ({
  subscriptions: subscriptionStore,
  outbox: outboxStore,
  sendMail: sendMailWithAttachments,
  checkoutUrl,
  closeCheckout,
  clock,
});
type DrainDeps = ReturnType<typeof drainDeps>;
type DueEntry = Awaited<ReturnType<typeof outboxStore.due>>[number];

/**
 * Entries per run and shard; the next run delivers the rest. Within SES's lowest sending rate and the
 * function's timeout.
 */
const batchSizePerShard = 50;
/** Four concurrent deliveries stay below SES's lowest sending rates. */
const concurrency = 4;

/**
 * Delivers the outbox entries that are due: those of a process that died, and those that could not be delivered before.
 * Concurrent runs lease entries, so that none is delivered by both.
 */
export async function drainOutboxes(deps: DrainDeps) {
  const counts = { done: 0, failed: 0 };
  const causes: unknown[] = [];
  const entries = await deps.outbox.due(deps.clock.nowMs(), batchSizePerShard);
  // One iterator: each worker takes the next entry.
  const queue = entries.values();
  const workers = Array.from({ length: concurrency }, async () => {
    for (const entry of queue) {
      const outcome = await claimAndDeliver(entry, deps);
      if (outcome === 'leased') continue;
      counts[outcome.cause === undefined ? 'done' : 'failed'] += 1;
      if (outcome.cause !== undefined) causes.push(outcome.cause);
    }
  });
  await Promise.all(workers);
  return { counts, cause: causes[0] };
}

/** @returns `leased` when another process has leased or delivered the entry. */
async function claimAndDeliver(entry: DueEntry, deps: DrainDeps): Promise<'leased' | { cause: unknown }> {
  const claimed = await deps.outbox.claim(entry, deps.clock.nowMs());
  if (claimed === undefined) return 'leased';
  const { applicationId, externalId, subscriptionId } = claimed;
  const { subscriptions } = await deps.subscriptions.getWithClient(applicationId, externalId, [
    subscriptionId,
  ]);
  return { cause: await deliver(claimed, subscriptions[0]?.baseUrl ?? '', deps) };
}

export const handler = scheduled(timers['drain-outbox'], drainOutboxes, drainDeps);
