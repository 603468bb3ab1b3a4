import type { getApplication } from '../shared/applications.ts';
import type { recordId } from '../shared/record-id.ts';
import type { follow } from './arming.ts';
import { type Change, type Circumstances, changeIn } from './change.ts';
import type { Client } from './client.ts';
import { decideOn } from './deciding.ts';
import { sold } from './invoice.ts';
import type { planStore } from './plan-store.ts';
import { gatewayOf, policyOf } from './policy.ts';
import { sellerOf } from './seller.ts';
import type { Subscription } from './subscription.ts';
import type { subscriptionStore } from './subscription-store.ts';

export interface AdvanceDeps {
  subscriptions: Pick<typeof subscriptionStore, 'load' | 'write'>;
  plans: Pick<typeof planStore, 'get'>;
  getApplication: typeof getApplication;
  follow: typeof follow;
  nowMs: () => number;
  recordId: typeof recordId;
}

/** A subscription after its steps, with its client, and what the steps did. */
export interface Advanced {
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
 * @param options.horizonMs as of {@link Circumstances}.
 */
export async function advance(
  found: { client: Client; subscription: Subscription },
  deps: AdvanceDeps,
  options: { version?: number; horizonMs?: number } = {},
): Promise<Advanced> {
  const { subscriptions, nowMs } = deps;
  let { client, subscription } = found;
  const changes: Change[] = [];
  for (let round = 0; round < maxSteps; round += 1) {
    const { timer, timerVersion, applicationId, externalId, subscriptionId } = subscription;
    if (timer === undefined || timer.dueAtMs > nowMs()) break;
    if (options.version !== undefined && options.version !== timerVersion) break;
    const change = await stepOf(subscription, client, deps, options.horizonMs);
    if (change !== undefined && (await subscriptions.write([change]))) {
      subscription = change.next;
      changes.push(change);
      continue;
    }
    const now = await subscriptions.load(applicationId, externalId, [subscriptionId]);
    const [seen] = now.subscriptions;
    if (seen === undefined || now.client === undefined) break;
    // Nobody else wrote it, and it was refused: no other round would pass.
    if (change === undefined && seen.revision === subscription.revision) break;
    ({ client } = now);
    subscription = seen;
  }
  // An execution that takes steps goes on with what follows from them itself.
  if (changes.length > 0 && options.version === undefined) {
    await deps.follow(subscription, { hasOutbox: hasOutbox(changes), nowMs: nowMs() });
  }
  return { client, subscription, changes };
}

/** Starts what has to follow a change that was written. */
export function followChange(
  change: Change,
  { follow, nowMs }: Pick<AdvanceDeps, 'follow' | 'nowMs'>,
): Promise<void> {
  return follow(change.next, { hasOutbox: hasOutbox([change]), nowMs: nowMs() });
}

const hasOutbox = (changes: readonly Change[]) => changes.some(({ outbox }) => outbox.length > 0);

async function stepOf(
  subscription: Subscription,
  client: Client,
  deps: AdvanceDeps,
  horizonMs: number | undefined,
): Promise<Change | undefined> {
  const { timer } = subscription;
  if (timer === undefined) return undefined;
  const renewal = timer.step === 'renewal_invoice' ? await renewalOf(subscription, deps) : undefined;
  const due = {
    ...{ event: timer.step, atMs: timer.dueAtMs },
    ...(renewal && { renewal }),
    ...(horizonMs !== undefined && { horizonMs }),
  };
  return changeIn(decideOn({ client, subscription }, due, 'timer', deps));
}

/** Plan and settings as they are now: they hold for the next term. */
async function renewalOf(
  { applicationId, plan }: Subscription,
  { plans, getApplication }: AdvanceDeps,
): Promise<Circumstances['renewal']> {
  const [now, application] = await Promise.all([
    plans.get(applicationId, plan.planId),
    getApplication(applicationId),
  ]);
  if (application === undefined) return undefined;
  const { settings } = application;
  return {
    ...{ plan: now === undefined ? plan : sold(now), policy: policyOf(settings) },
    ...{ gateway: gatewayOf(settings), seller: sellerOf(application) },
  };
}
