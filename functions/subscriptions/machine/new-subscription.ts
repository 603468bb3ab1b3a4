import type * as z from 'zod/mini';
import type { Client } from '../../clients/client.ts';
import { planAmount, planSnapshot } from '../../invoices/invoice.ts';
import { withTax } from '../../invoices/invoice-total.ts';
import type { Plan } from '../../plans/plan.ts';
import { soldQuantity } from '../../plans/quantity.ts';
import type { Application } from '../../shared/accounts/applications.ts';
import { defined } from '../../shared/contract/defined.ts';
import { ApiError } from '../../shared/contract/errors.ts';
import type { NewSubscription } from '../contracts/subscriptions.ts';
import { billingPolicy, oneTrialOnly, paymentGateway } from '../record/policy.ts';
import { generateReference } from '../record/reference-number.ts';
import { sellerDetails } from '../record/seller.ts';
import { emptyLists, type Subscription, type UnstartedSubscription } from '../record/subscription.ts';
import { appliedChange, type Change, decide } from './decide.ts';
import { type TransitionDeps, transitionContext } from './event.ts';
import { takenOver } from './first-term.ts';

export type SubscriptionRequest = Omit<z.output<typeof NewSubscription>, 'externalId' | 'planId'>;

export interface NewSubscriptionInputs {
  application: Application;
  plan: Plan;
  client: Client;
  baseUrl: string;
  /** The client's other subscription, when it is on trial or overdue. */
  concurrent: Subscription | undefined;
}

/**
 * Starts a new subscription: `trialing` when the plan has a trial that the client may take and no other
 * subscription of the client runs, otherwise `pending`.
 *
 * @throws ApiError `invalid_request` when the trial would end before now, or the plan does not sell the quantity.
 */
export function newSubscription(
  { startDate, autoRenew, quantity, successUrl, cancelUrl }: SubscriptionRequest,
  { application, plan, client, baseUrl, concurrent }: NewSubscriptionInputs,
  deps: TransitionDeps & { random: () => number },
): Change {
  const { settings, applicationId } = application;
  const trial = {
    days: plan.trialPeriodDays,
    isUsed: oneTrialOnly(settings) && client.trialUsedAtMs !== undefined,
    hasConcurrent: concurrent !== undefined,
  };
  const sold = { plan: planSnapshot(plan, soldQuantity(plan, quantity)), seller: sellerDetails(application) };
  const isCoveredByCredit = creditCovers(sold, client);
  const replaced = concurrent && takenOver(concurrent);
  const event = { event: 'start', trial, replaced, isCoveredByCredit } as const;
  const context = transitionContext(event, { by: 'application', client }, deps);
  const { nowMs } = context;
  const unstarted: UnstartedSubscription = {
    subscriptionId: deps.newId('sub', nowMs),
    applicationId,
    externalId: client.externalId,
    referenceNumber: generateReference(deps.random),
    status: 'none',
    ...sold,
    policy: billingPolicy(settings),
    gateway: paymentGateway(settings),
    baseUrl,
    autoRenew,
    cancelAtPeriodEnd: false,
    startAtMs: startDate === undefined ? nowMs : Date.parse(startDate),
    invoiceCount: 0,
    creditNoteCount: 0,
    ...emptyLists,
    ...defined({ successUrl, cancelUrl }),
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    revision: 0,
    eventCount: 0,
    timerVersion: 0,
  };
  const change = appliedChange(decide(unstarted, context));
  if (change === undefined) throw new Error('The start of a subscription was refused');
  const { trialEndMs = Number.POSITIVE_INFINITY } = change.next;
  if (trialEndMs <= nowMs) {
    throw new ApiError('invalid_request', {
      details: { startDate: 'is so long ago that the trial would be over' },
    });
  }
  return change;
}

function creditCovers({ plan, seller }: Pick<Subscription, 'plan' | 'seller'>, client: Client): boolean {
  return withTax({ seller }, client, planAmount(plan)) <= (client.credit?.[plan.currency] ?? 0);
}
