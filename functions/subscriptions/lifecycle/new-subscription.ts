import type { output } from 'zod/mini';
import type { Application } from '../../shared/accounts/applications.ts';
import { defined } from '../../shared/contract/defined.ts';
import { ApiError } from '../../shared/contract/errors.ts';
import { dayMs } from '../../shared/runtime/duration.ts';
import type { NewId } from '../../shared/runtime/ids.ts';
import type { NewSubscription } from '../api/requests.ts';
import type { Client } from '../clients/client.ts';
import { planSnapshot } from '../invoices/invoice.ts';
import type { Plan } from '../plans/plan.ts';
import { type Change, createSubscriptionChange } from './decide.ts';
import { effects } from './effects.ts';
import { billingPolicy, oneTrialOnly, paymentGateway } from './policy.ts';
import { generateReference } from './reference-number.ts';
import { sellerDetails } from './seller.ts';
import type { Subscription } from './subscription.ts';

/** What a new subscription is made of. */
interface Basis {
  application: Application;
  plan: Plan;
  client: Client;
  baseUrl: string;
  /** A subscription of the client that is on trial or overdue. */
  concurrent: Subscription | undefined;
}

/**
 * A new subscription: on trial, if the plan has one, the client may take it and nothing of his runs; otherwise pending.
 *
 * @throws ApiError `invalid_request` when its trial would be over before it began.
 */
export function newSubscription(
  { startDate, autoRenew, successUrl, cancelUrl }: output<typeof NewSubscription>,
  { application, plan, client, baseUrl, concurrent: beside }: Basis,
  { nowMs, newId, random }: { nowMs: () => number; newId: NewId; random: () => number },
): Change {
  const atMs = nowMs();
  const { settings, applicationId } = application;
  const startAtMs = startDate === undefined ? atMs : Date.parse(startDate);
  const trialTaken = oneTrialOnly(settings) && client.trialUsedAtMs !== undefined;
  const onTrial = plan.trialPeriodDays > 0 && !trialTaken && beside === undefined;
  const trialEndMs = startAtMs + plan.trialPeriodDays * dayMs;
  if (onTrial && trialEndMs <= atMs) {
    throw new ApiError('invalid_request', {
      details: { startDate: 'is so long ago that the trial would be over' },
    });
  }
  const first: Subscription = {
    subscriptionId: newId('sub', atMs),
    applicationId,
    externalId: client.externalId,
    referenceNumber: generateReference(random),
    status: onTrial ? 'trialing' : 'pending',
    plan: planSnapshot(plan),
    policy: billingPolicy(settings),
    seller: sellerDetails(application),
    gateway: paymentGateway(settings),
    baseUrl,
    autoRenew,
    cancelAtPeriodEnd: false,
    startAtMs,
    invoiceCount: 0,
    openInvoices: [],
    ...defined({ successUrl, cancelUrl }),
    ...(onTrial && { trialStartMs: startAtMs, trialEndMs }),
    createdAtMs: atMs,
    updatedAtMs: atMs,
    revision: 0,
    timerVersion: 0,
  };
  const newInvoiceId = () => newId('inv', atMs);
  const told = { event: 'start', by: 'application', nowMs: atMs, client, newInvoiceId } as const;
  return createSubscriptionChange(first, told, onTrial ? effects.begin_trial : effects.await_payment);
}
