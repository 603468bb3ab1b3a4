import type { Key } from '../../shared/contract/keys.ts';
import { sendMailWithAttachments } from '../../shared/mail/mailer.ts';
import { clock } from '../../shared/runtime/clock.ts';
import { env } from '../../shared/runtime/env.ts';
import { billingLinks } from '../billing/present-link.ts';
import { checkoutUrl } from '../checkout/link.ts';
import { subscriptionStore } from '../engine/subscription-store.ts';
import type { OutboxEntry } from '../lifecycle/outbox-entry.ts';
import { closeCheckout } from '../stripe/expire-session.ts';
import { deliver } from './deliver.ts';
import { mailQuotaStore } from './mail-quota-store.ts';
import { outboxStore } from './store.ts';

/** The dependencies of both timers that deliver the outbox. */
export const deliveryDeps = () => ({
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
export type DeliveryDeps = ReturnType<typeof deliveryDeps>;

/**
 * Leases an entry of the outbox and delivers it. Concurrent attempts of one entry deliver it once.
 *
 * @returns `cause` when the delivery failed: the entry stays due. Undefined when the entry is finished, when another process
 * has leased it, or when its mail waits for the next day.
 * @throws the error of the table before the entry is leased: nothing was tried then.
 */
export async function attemptDelivery(
  entry: OutboxEntry,
  deps: DeliveryDeps,
): Promise<{ cause: unknown } | undefined> {
  const { outbox, clock } = deps;
  if (isFinished(entry) || isHeld(entry, clock.nowMs())) return undefined;
  const baseUrl = await baseUrlOf(entry, deps);
  const claimed = await outbox.claim(entry, clock.nowMs());
  if (claimed === undefined) return undefined;
  // The lease keeps the next attempt at its distance, also when the table fails now.
  const outcome = await deliver(claimed, baseUrl, deps).catch((cause: unknown) => ({ cause, isHeld: false }));
  return outcome.isHeld ? undefined : { cause: outcome.cause };
}

/** Reads an entry and attempts its delivery. See {@link attemptDelivery}. */
export async function attemptDeliveryAt(key: Key, deps: DeliveryDeps) {
  const entry = await deps.outbox.get(key);
  return entry && attemptDelivery(entry, deps);
}

function isFinished({ doneAtMs, droppedAtMs, givenUpAtMs }: OutboxEntry): boolean {
  return (doneAtMs ?? droppedAtMs ?? givenUpAtMs) !== undefined;
}

/** The timer sends it when the next day has begun. */
function isHeld({ heldUntilMs = 0 }: OutboxEntry, nowMs: number): boolean {
  return heldUntilMs > nowMs;
}

/** The base of links: that of the stage, else the address of the API at which the subscription was created. */
async function baseUrlOf(entry: OutboxEntry, { subscriptions }: DeliveryDeps): Promise<string> {
  const publicUrl = env.publicUrl();
  if (publicUrl !== undefined) return publicUrl;
  const { applicationId, externalId, subscriptionId } = entry;
  const found = await subscriptions.getWithClient(applicationId, externalId, [subscriptionId]);
  return found.subscriptions[0]?.baseUrl ?? '';
}
