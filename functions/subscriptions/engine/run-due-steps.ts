import type { getApplication } from '../../shared/accounts/applications.ts';
import { defined } from '../../shared/contract/defined.ts';
import type { newId } from '../../shared/runtime/ids.ts';
import type { Client } from '../clients/client.ts';
import { decideFor } from '../deciding.ts';
import { planSnapshot } from '../invoices/invoice.ts';
import { appliedChange, type Change, type TransitionContext } from '../lifecycle/decide.ts';
import { billingPolicy, paymentGateway } from '../lifecycle/policy.ts';
import { sellerDetails } from '../lifecycle/seller.ts';
import type { Subscription } from '../lifecycle/subscription.ts';
import type { planStore } from '../plans/store.ts';
import type { scheduleFollowUp } from '../scheduling/schedule.ts';
import type { subscriptionStore } from './subscription-store.ts';

export interface RunStepsDeps {
  subscriptions: Pick<typeof subscriptionStore, 'getWithClient' | 'write'>;
  plans: Pick<typeof planStore, 'get'>;
  getApplication: typeof getApplication;
  scheduleFollowUp: typeof scheduleFollowUp;
  nowMs: () => number;
  newId: typeof newId;
}

/** A subscription after its steps, with its client, and what the steps did. */
export interface StepsResult {
  client: Client;
  subscription: Subscription;
  changes: Change[];
}

/** No subscription has that many steps that are due at once, but for one that was forgotten for years. */
const maxSteps = 400;

/**
 * Takes every step of a subscription that is due, in order, each as if it had run on time. Whoever asks something of a subscription
 * has this done first: a timer that is late makes no difference.
 *
 * Safe to run twice and at once: each step is one transaction, bound to the write before it.
 *
 * @param found what was read of it.
 * @param options.version only as long as that version of the timer is in charge.
 * @param options.horizonMs as of {@link TransitionContext}.
 */
export async function runDueSteps(
  found: { client: Client; subscription: Subscription },
  deps: RunStepsDeps,
  options: { version?: number; horizonMs?: number } = {},
): Promise<StepsResult> {
  const { subscriptions, nowMs } = deps;
  let { client, subscription } = found;
  const changes: Change[] = [];
  for (let round = 0; round < maxSteps; round += 1) {
    const { timer, timerVersion, applicationId, externalId, subscriptionId } = subscription;
    if (timer === undefined || timer.dueAtMs > nowMs()) break;
    if (options.version !== undefined && options.version !== timerVersion) break;
    const change = await nextChange(subscription, client, deps, options.horizonMs);
    if (change !== undefined && (await subscriptions.write([change]))) {
      subscription = change.next;
      changes.push(change);
      continue;
    }
    const now = await subscriptions.getWithClient(applicationId, externalId, [subscriptionId]);
    const [seen] = now.subscriptions;
    if (seen === undefined || now.client === undefined) break;
    // Nobody else wrote it, and it was refused: no other round would pass.
    if (change === undefined && seen.revision === subscription.revision) break;
    ({ client } = now);
    subscription = seen;
  }
  // An execution that takes steps goes on with what follows from them itself.
  if (changes.length > 0 && options.version === undefined) {
    await deps.scheduleFollowUp(subscription, { hasOutbox: hasOutbox(changes), nowMs: nowMs() });
  }
  return { client, subscription, changes };
}

/** Starts what has to follow a change that was written. */
export function scheduleChangeFollowUp(
  change: Change,
  { scheduleFollowUp: follow, nowMs }: Pick<RunStepsDeps, 'scheduleFollowUp' | 'nowMs'>,
): Promise<void> {
  return follow(change.next, { hasOutbox: hasOutbox([change]), nowMs: nowMs() });
}

const hasOutbox = (changes: readonly Change[]) => changes.some(({ outbox }) => outbox.length > 0);

async function nextChange(
  subscription: Subscription,
  client: Client,
  deps: RunStepsDeps,
  horizonMs: number | undefined,
): Promise<Change | undefined> {
  const { timer } = subscription;
  if (timer === undefined) return undefined;
  const renewal = timer.step === 'renewal_invoice' ? await renewalTerms(subscription, deps) : undefined;
  const due = {
    event: timer.step,
    atMs: timer.dueAtMs,
    ...(renewal && { renewal }),
    ...defined({ horizonMs }),
  };
  return appliedChange(decideFor({ client, subscription }, due, 'timer', deps));
}

/** Plan and settings as they are now: they hold for the next term. */
async function renewalTerms(
  { applicationId, plan }: Subscription,
  { plans, getApplication }: RunStepsDeps,
): Promise<TransitionContext['renewal']> {
  const [now, application] = await Promise.all([
    plans.get(applicationId, plan.planId),
    getApplication(applicationId),
  ]);
  if (application === undefined) return undefined;
  const { settings } = application;
  return {
    plan: now === undefined ? plan : planSnapshot(now),
    policy: billingPolicy(settings),
    gateway: paymentGateway(settings),
    seller: sellerDetails(application),
  };
}
