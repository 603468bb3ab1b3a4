import { checkoutUrl } from '../../invoices/payment-link.ts';
import { closeCheckout } from '../../payments/stripe/expire-session.ts';
import { billingLinks } from '../../portal/pages/present-link.ts';
import type { Key } from '../../shared/contract/keys.ts';
import { sendMailWithAttachments } from '../../shared/mail/mailer.ts';
import { clock } from '../../shared/runtime/clock.ts';
import * as env from '../../shared/runtime/env.ts';
import { getWithClient } from '../../subscriptions/commands/subscription-queries.ts';
import type { OutboxEntry } from '../../subscriptions/record/outbox-entry.ts';
import { deliver, type MailedState } from './deliver.ts';
import { mailQuotaStore } from './mail-quota-store.ts';
import { outboxStore } from './store.ts';

/** The dependencies of both timers that deliver the outbox. */
export const deliveryDeps = () => ({
  subscriptions: { getWithClient },
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
  const [claim, state] = await Promise.allSettled([outbox.claim(entry, clock.nowMs()), stateOf(entry, deps)]);
  if (claim.status === 'rejected') throw claim.reason;
  if (claim.value === undefined) return undefined;
  // From here on the lease keeps the next attempt at its distance, also when the table fails.
  if (state.status === 'rejected') return { cause: state.reason };
  try {
    const { cause, isHeld } = await deliver(claim.value, state.value, deps);
    return isHeld ? undefined : { cause };
  } catch (cause) {
    return { cause };
  }
}

export async function attemptDeliveryAt(key: Key, deps: DeliveryDeps) {
  const entry = await deps.outbox.get(key);
  return entry && attemptDelivery(entry, deps);
}

function isFinished({ doneAtMs, droppedAtMs, givenUpAtMs }: OutboxEntry): boolean {
  return (doneAtMs ?? droppedAtMs ?? givenUpAtMs) !== undefined;
}

/** The timer sends it when the next day has begun. */
const isHeld = ({ heldUntilMs = 0 }: OutboxEntry, nowMs: number): boolean => heldUntilMs > nowMs;

/** The base of links is that of the stage, else the address of the API at which the subscription was created. */
async function stateOf(entry: OutboxEntry, { subscriptions }: DeliveryDeps): Promise<MailedState> {
  const { applicationId, externalId, subscriptionId } = entry;
  const found = await subscriptions.getWithClient(applicationId, externalId, [subscriptionId]);
  const [subscription] = found.subscriptions;
  return { baseUrl: env.publicUrl() ?? subscription?.baseUrl ?? '', subscription };
}
