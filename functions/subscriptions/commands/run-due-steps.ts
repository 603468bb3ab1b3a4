import { type PlanSnapshot, soldAgain } from '../../invoices/invoice.ts';
import type { planStore } from '../../plans/store.ts';
import type { Application, getApplication } from '../../shared/accounts/applications.ts';
import { appliedChange, type Change, decide } from '../machine/decide.ts';
import { type RenewalTerms, stepEvent, type TransitionDeps, transitionContext } from '../machine/event.ts';
import { invoicesAfter } from '../machine/invoice-changes.ts';
import { withWrittenMails } from '../machine/merged-mails.ts';
import { billingPolicy, paymentGateway } from '../record/policy.ts';
import { sellerDetails } from '../record/seller.ts';
import type { Subscription } from '../record/subscription.ts';
import type { scheduleFollowUp } from '../timers/schedule.ts';
import { clientAfter, withCredits } from './client-subscriptions-store.ts';
import { readTogether, type SubscriptionWithClient } from './subscription-queries.ts';
import type { subscriptionStore } from './subscription-store.ts';

export interface RunStepsDeps extends TransitionDeps {
  subscriptions: Pick<typeof subscriptionStore, 'write'>;
  plans: Pick<typeof planStore, 'get'>;
  getApplication: typeof getApplication;
  scheduleFollowUp: typeof scheduleFollowUp;
}

export interface StepsResult extends SubscriptionWithClient {
  changes: Change[];
}

/** More steps than can be due at once, except after years without a run. */
const maxSteps = 400;

/**
 * Takes every due step of a subscription, in order, each as if it had run on time. Every command does this
 * first, so that a late timer makes no difference.
 *
 * Safe to repeat and to run concurrently: each step is one transaction, conditioned on the write before it.
 *
 * @param current the subscription as read.
 */
export async function runDueSteps(current: SubscriptionWithClient, deps: RunStepsDeps): Promise<StepsResult> {
  const { subscriptions, clock } = deps;
  let { client, subscription, invoices } = current;
  const changes: Change[] = [];
  for (let round = 0; round < maxSteps; round += 1) {
    const { timer } = subscription;
    if (timer === undefined || timer.dueAtMs > clock.nowMs()) break;
    const change = await nextChange({ client, subscription }, deps);
    const clientChange = change && withCredits(client, [change]);
    if (change !== undefined && (await subscriptions.write([change], invoices, clientChange))) {
      client = clientAfter(client, clientChange);
      subscription = change.next;
      invoices = invoicesAfter(change, invoices);
      changes.push(change);
      continue;
    }
    const latest = await readTogether(subscription);
    // Refused without a concurrent write: retrying cannot succeed.
    if (
      latest === undefined ||
      (change === undefined && latest.subscription.revision === subscription.revision)
    )
      break;
    ({ client, subscription, invoices } = latest);
  }
  if (changes.length > 0) await deps.scheduleFollowUp(subscription, clock.nowMs());
  const outbox = changes.flatMap((change) => change.outbox);
  return { client, subscription: withWrittenMails(subscription, outbox), invoices, changes };
}

async function nextChange(
  { client, subscription }: Pick<SubscriptionWithClient, 'client' | 'subscription'>,
  deps: RunStepsDeps,
): Promise<Change | undefined> {
  const { timer } = subscription;
  if (timer === undefined) return undefined;
  const { step, dueAtMs: atMs } = timer;
  const renewal = step === 'renewal_invoice' ? await renewalTerms(subscription, deps) : undefined;
  const event = stepEvent(step, renewal);
  return appliedChange(decide(subscription, transitionContext(event, { by: 'timer', client, atMs }, deps)));
}

/** The current form of the plan, and the settings, which apply to the next term. Undefined without an application. */
async function renewalTerms(
  { applicationId, plan, plannedChange = plan }: Subscription,
  { plans, getApplication }: RunStepsDeps,
): Promise<RenewalTerms | undefined> {
  const [currentPlan, application] = await Promise.all([
    plans.get(applicationId, plannedChange.planId),
    getApplication(applicationId),
  ]);
  const sold =
    currentPlan === undefined ? plannedChange : soldAgain(currentPlan, plannedChange, plannedChange.quantity);
  return application && termsOfNext(sold, application);
}

export function termsOfNext(plan: PlanSnapshot, application: Application): RenewalTerms {
  const { settings } = application;
  return {
    plan,
    policy: billingPolicy(settings),
    gateway: paymentGateway(settings),
    seller: sellerDetails(application),
  };
}
