import type { output } from 'zod/mini';
import type { Application } from '../shared/applications.ts';
import { ApiError } from '../shared/errors.ts';
import type { recordId as newId } from '../shared/record-id.ts';
import { begin, type Change } from './change.ts';
import type { Client } from './client.ts';
import { effects } from './effects.ts';
import { sold } from './invoice.ts';
import type { Plan } from './plan.ts';
import { gatewayOf, oneTrialOnly, policyOf } from './policy.ts';
import { newReference } from './reference.ts';
import type { NewSubscription } from './requests.ts';
import { sellerOf } from './seller.ts';
import type { Subscription } from './subscription.ts';
import { dayMs } from './term.ts';

/** What a new subscription is made of. */
interface Basis {
  application: Application;
  plan: Plan;
  client: Client;
  baseUrl: string;
  /** A subscription of the client that is on trial or overdue. */
  beside: Subscription | undefined;
}

/**
 * A new subscription: on trial, if the plan has one, the client may take it and nothing of his runs; otherwise pending.
 *
 * @throws ApiError `invalid_request` when its trial would be over before it began.
 */
export function newSubscription(
  { startDate, autoRenew, successUrl, cancelUrl }: output<typeof NewSubscription>,
  { application, plan, client, baseUrl, beside }: Basis,
  { nowMs, recordId, random }: { nowMs: () => number; recordId: typeof newId; random: () => number },
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
    ...{ subscriptionId: recordId('sub', atMs), applicationId, externalId: client.externalId },
    referenceNumber: newReference(random),
    status: onTrial ? 'trialing' : 'pending',
    ...{ plan: sold(plan), policy: policyOf(settings), seller: sellerOf(application) },
    gateway: gatewayOf(settings),
    ...{ baseUrl, autoRenew, cancelAtPeriodEnd: false, startAtMs, invoiceCount: 0, open: [] },
    ...(successUrl !== undefined && { successUrl }),
    ...(cancelUrl !== undefined && { cancelUrl }),
    ...(onTrial && { trialStartMs: startAtMs, trialEndMs }),
    ...{ createdAtMs: atMs, updatedAtMs: atMs, revision: 0, timerVersion: 0 },
  };
  const newInvoiceId = () => recordId('inv', atMs);
  const told = { event: 'start', by: 'application', nowMs: atMs, client, newInvoiceId } as const;
  return begin(first, told, onTrial ? effects.begin_trial : effects.await_payment);
}
