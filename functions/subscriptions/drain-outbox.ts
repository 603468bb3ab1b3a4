import { scheduled } from '../shared/lambda/scheduled.ts';
import { drainMail } from '../shared/mail/drain.ts';
import { sendMailWithAttachments } from '../shared/mail/mailer.ts';
import { clock } from '../shared/runtime/clock.ts';
import { env } from '../shared/runtime/env.ts';
import { checkoutUrl } from './checkout/link.ts';
import { subscriptionStore } from './engine/subscription-store.ts';
import { deliver } from './outbox/deliver.ts';
import { type DueEntry, outboxStore } from './outbox/store.ts';
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

/**
 * Delivers the outbox entries that are due: those of a process that died, and those that could not be delivered before.
 * Concurrent runs lease entries, so that none is delivered by both.
 */
export async function drainOutboxes(deps: DrainDeps) {
  const { outbox, clock } = deps;
  const nowMs = clock.nowMs();
  const shards = Array.from({ length: outbox.shards }, (_, shard) => outbox.duePages(shard, nowMs));
  const attempt = (entry: DueEntry) => claimAndDeliver(entry, deps);
  return drainMail({ shards, attempt, mailsPerSecond: env.mailsPerSecond(), clock });
}

/** @returns undefined when another process has leased or delivered the entry. */
async function claimAndDeliver(entry: DueEntry, deps: DrainDeps): Promise<{ cause: unknown } | undefined> {
  const stored = await deps.outbox.get(entry);
  const claimed = stored && (await deps.outbox.claim(stored, deps.clock.nowMs()));
  if (claimed === undefined) return undefined;
  const { applicationId, externalId, subscriptionId } = claimed;
  const { subscriptions } = await deps.subscriptions.getWithClient(applicationId, externalId, [
    subscriptionId,
  ]);
  return { cause: await deliver(claimed, subscriptions[0]?.baseUrl ?? '', deps) };
}

export const handler = scheduled(timers['drain-outbox'], drainOutboxes, drainDeps);
