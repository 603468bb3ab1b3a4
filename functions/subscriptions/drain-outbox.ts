import { scheduled } from '../shared/lambda/scheduled.ts';
import { drainMail } from '../shared/mail/drain.ts';
import { sendMailWithAttachments } from '../shared/mail/mailer.ts';
import { clock } from '../shared/runtime/clock.ts';
import { env } from '../shared/runtime/env.ts';
import { billingLinks } from './billing/present-link.ts';
import { checkoutUrl } from './checkout/link.ts';
import { subscriptionStore } from './engine/subscription-store.ts';
import { deliver } from './outbox/deliver.ts';
import { mailQuotaStore } from './outbox/mail-quota-store.ts';
import { type DueEntry, outboxStore } from './outbox/store.ts';
import { closeCheckout } from './stripe/expire-session.ts';
import { timers } from './timers.ts';

const drainDeps = () => ({
  subscriptions: subscriptionStore,
  outbox: outboxStore,
  sendMail: sendMailWithAttachments,
  checkoutUrl,
  billingLinks,
  closeCheckout,
  mailQuota: mailQuotaStore,
  quotaPerDay: env.mailQuota,
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
  const shards = Array.from({ length: outbox.shards }, (_, shard) => [
    outbox.duePages(shard, nowMs),
    outbox.heldPages(shard, nowMs),
  ]).flat();
  const attempt = (entry: DueEntry) => claimAndDeliver(entry, deps);
  return drainMail({ shards, attempt, mailsPerSecond: env.mailsPerSecond(), clock });
}

/** @returns undefined when another process has leased or delivered the entry, or its mail waits for the next day. */
async function claimAndDeliver(entry: DueEntry, deps: DrainDeps): Promise<{ cause: unknown } | undefined> {
  const stored = await deps.outbox.get(entry);
  const claimed = stored && (await deps.outbox.claim(stored, deps.clock.nowMs()));
  if (claimed === undefined) return undefined;
  const { applicationId, externalId, subscriptionId } = claimed;
  const { subscriptions } = await deps.subscriptions.getWithClient(applicationId, externalId, [
    subscriptionId,
  ]);
  const { cause, isHeld } = await deliver(claimed, subscriptions[0]?.baseUrl ?? '', deps);
  return isHeld ? undefined : { cause };
}

export const handler = scheduled(timers['drain-outbox'], drainOutboxes, drainDeps);
