import { task } from '../shared/lambda/scheduled.ts';
import { MailPossiblySent, sendMailWithAttachments } from '../shared/mail/mailer.ts';
import { clock } from '../shared/runtime/clock.ts';
import { hourMs } from '../shared/runtime/duration.ts';
import { env } from '../shared/runtime/env.ts';
import { billingLinks } from './billing/present-link.ts';
import { checkoutUrl } from './checkout/link.ts';
import { subscriptionStore } from './engine/subscription-store.ts';
import { deliver } from './outbox/deliver.ts';
import { mailQuotaStore } from './outbox/mail-quota-store.ts';
import { outboxStore } from './outbox/store.ts';
import { nextInput } from './scheduling/next-input.ts';
import type { TimerInput } from './scheduling/timer-input.ts';
import { closeCheckout } from './stripe/expire-session.ts';
import { timers } from './timers.ts';

const deliveryDeps = () => ({
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

/** An entry of the outbox could not be delivered. The state machine retries errors of this name. */
export class OutboxNotEmpty extends Error {
  constructor(cause: unknown) {
    super('An entry of the outbox could not be delivered', { cause });
    this.name = 'OutboxNotEmpty';
  }
}

/** The longest delay before a retry in the state machine. */
const longestRetryMs = hourMs;

/**
 * A task of the state machine: delivers every entry in the outbox of a subscription, and returns the wait for the next
 * step.
 *
 * It may run twice or concurrently: each entry is leased before it is delivered. The first attempt skips an entry
 * that another process has leased: that process delivers it, or is retried itself. On a retry the entry counts as
 * undelivered, because the process may have died. A retry sends no mail before its lease has ended, so retries do not
 * multiply the copies of a mail.
 *
 * @param input `retry` counts the earlier attempts of the state machine.
 * @throws OutboxNotEmpty when an entry is undelivered and a retry would not delay the next step. Otherwise the timer
 * `drain-outbox` delivers the entry.
 */
export async function deliverOutbox(
  { retry = 0, ...input }: TimerInput & { retry?: number },
  deps: ReturnType<typeof deliveryDeps>,
): Promise<TimerInput> {
  const { outbox, clock } = deps;
  const { applicationId, externalId, subscriptionId } = input;
  const [{ subscriptions }, entries] = await Promise.all([
    deps.subscriptions.getWithClient(applicationId, externalId, [subscriptionId]),
    outbox.undelivered(subscriptionId),
  ]);
  const [subscription] = subscriptions;
  if (subscription === undefined) return { ...input, stage: 'end' };
  const failures: unknown[] = [];
  for (const entry of entries) {
    // The timer sends it when the next day has begun.
    if (entry.heldUntilMs !== undefined && entry.heldUntilMs > clock.nowMs()) continue;
    const claimed = await outbox.claim(entry, clock.nowMs());
    if (claimed !== undefined) failures.push((await deliver(claimed, subscription.baseUrl, deps)).cause);
    else if (retry > 0) failures.push(await leaseError(entry, outbox));
    // While SES does not answer, the others would be counted as possible copies too, and outlast the function.
    if (failures.at(-1) instanceof MailPossiblySent) break;
  }
  const failure = failures.find((cause) => cause !== undefined);
  const next = nextInput(input, subscription);
  const mayRetry = next.dueAt === undefined || Date.parse(next.dueAt) > clock.nowMs() + longestRetryMs;
  if (failure !== undefined && mayRetry) throw new OutboxNotEmpty(failure);
  return next;
}

/** @returns an error while another process has leased the entry; undefined once the entry is finished. */
async function leaseError(
  { subscriptionId, entryId }: { subscriptionId: string; entryId: string },
  outbox: typeof outboxStore,
): Promise<Error | undefined> {
  const entries = await outbox.undelivered(subscriptionId);
  const isUndelivered = entries.some((entry) => entry.entryId === entryId);
  return isUndelivered ? new Error('Another process holds the lease of an entry') : undefined;
}

export const handler = task(timers['deliver-outbox'], deliverOutbox, deliveryDeps);
