import type { Client } from '../clients/client.ts';
import type { Invoice } from '../invoices/invoice.ts';
import { checkoutUrl } from '../invoices/payment-link.ts';
import { invoiceStore } from '../invoices/store.ts';
import { taxProblem } from '../invoices/tax.ts';
import type { Plan } from '../plans/plan.ts';
import type { Application } from '../shared/accounts/applications.ts';
import { apiKeyCaller } from '../shared/auth/bearer.ts';
import { defined } from '../shared/contract/defined.ts';
import { ApiError, endpoint, type Handler, type Input, type Output } from '../shared/lambda/endpoint.ts';
import { clock, dayMs } from '../shared/runtime/clock.ts';
import * as env from '../shared/runtime/env.ts';
import { newId } from '../shared/runtime/ids.ts';
import { randomFraction } from '../shared/runtime/random.ts';
import { idempotentRequest, storedResponse } from '../shared/table/idempotency.ts';
import { type ClientSubscriptions, clientAfter, withCredits } from './commands/client-subscriptions-store.ts';
import { commandDeps, type Decided } from './commands/execute-command.ts';
import { executeOnce } from './commands/execute-once.ts';
import { newSubscriptionStore } from './commands/new-subscription-store.ts';
import { runDueSteps } from './commands/run-due-steps.ts';
import { subscriptionStore } from './commands/subscription-store.ts';
import { createRoute } from './contracts/subscriptions.ts';
import { appliedChange, decide } from './machine/decide.ts';
import { transitionContext } from './machine/event.ts';
import { type NewSubscriptionInputs, newSubscription } from './machine/new-subscription.ts';
import { toCreatedResponse } from './present/subscription.ts';
import { isSandboxAvailable, paymentGateway } from './record/policy.ts';
import { sellerDetails } from './record/seller.ts';
import type { Subscription } from './record/subscription.ts';

type Request = Input<typeof createRoute>;
type CreationInputs = Awaited<ReturnType<typeof newSubscriptionStore.getCreationInputs>>;

/** The response as stored under an Idempotency-Key. The link to the checkout is derived from `invoiceId`. */
interface StoredCreation {
  subscription: Output<typeof createRoute>['subscription'];
  invoiceId: string | undefined;
}

const maxStartAgeMs = dayMs;
const maxStartAheadMs = 366 * dayMs;

/** Subscribes a client to a plan: with a trial if one is available, otherwise pending its first payment. */
export const createSubscription: Handler<typeof createRoute> = async ({
  headers,
  body,
  caller,
  rateLimitPassed,
  baseUrl,
}) => {
  const nowMs = clock.nowMs();
  const { applicationId } = caller;
  const request = idempotentRequest(applicationId, headers, createRoute, body);
  const [earlier, inputs] = await Promise.all([
    storedResponse<StoredCreation>(request, nowMs),
    newSubscriptionStore.getCreationInputs(applicationId, body.externalId, body.planId),
  ]);
  const respond = async ({ subscription, invoiceId }: StoredCreation) => ({
    subscription,
    ...defined({ checkoutUrl: invoiceId && (await checkoutUrl(baseUrl, invoiceId)) }),
  });
  if (earlier !== undefined) return respond(earlier);
  const { application, plan } = validated(inputs, body, nowMs);

  await rateLimitPassed;
  const stored = await executeOnce(request, async (isRepeat) => {
    const { client } = isRepeat
      ? await subscriptionStore.getWithClient(applicationId, body.externalId, [])
      : inputs;
    if (client === undefined) {
      throw new ApiError('not_found', { details: { externalId: 'is not registered' } });
    }
    return decideCreation(body, { application, plan, client, baseUrl });
  });
  return respond(stored);
};

async function decideCreation(
  body: Request['body'],
  { client, ...sold }: Omit<NewSubscriptionInputs, 'concurrent'>,
): Promise<Decided<StoredCreation>> {
  const { concurrent, pending, invoices } = await otherSubscriptions(client);
  const caused = { by: 'application', client } as const;
  const superseded =
    pending && appliedChange(decide(pending, transitionContext({ event: 'supersede' }, caused, commandDeps)));
  // Money that the superseded subscription had received is credit, which the first invoice of the new one uses.
  const owner = clientAfter(client, superseded && withCredits(client, [superseded]));
  const created = newSubscription(
    body,
    { ...sold, client: owner, concurrent },
    { clock, newId, random: randomFraction },
  );
  const { next, issued } = created;
  const replaced =
    next.status === 'active' && concurrent
      ? appliedChange(decide(concurrent, transitionContext({ event: 'replace' }, caused, commandDeps)))
      : undefined;
  const invoiceId = next.gateway === 'none' || next.status !== 'pending' ? undefined : issued[0]?.invoiceId;
  if (invoiceId !== undefined) expectReturnUrls(body);
  const changes = [created, superseded, replaced].filter((change) => change !== undefined);
  return {
    kind: 'changed',
    changes,
    invoices,
    clientChange: withCredits(client, changes, { client, set: subscriptionsWith(next, client) }),
    writes: () => newSubscriptionStore.writes(next, replaced ? undefined : concurrent),
    response: () => ({ subscription: toCreatedResponse(next), invoiceId }),
  };
}

/** A trial and a free plan run at once. Any other new subscription is pending, next to the running one. */
function subscriptionsWith(
  { status, subscriptionId, createdAtMs }: Subscription,
  { runningId, trialUsedAtMs }: Client,
): ClientSubscriptions {
  if (status === 'trialing') return { runningId: subscriptionId, trialUsedAtMs: createdAtMs };
  if (status === 'active') return { runningId: subscriptionId, ...defined({ trialUsedAtMs }) };
  return { pendingId: subscriptionId, ...defined({ runningId, trialUsedAtMs }) };
}

/** @throws ApiError `not_found`, `conflict`, `invalid_request` */
function validated(
  { client, plan, application }: CreationInputs,
  { startDate }: Request['body'],
  nowMs: number,
): { application: Application; plan: Plan } {
  if (client === undefined || plan === undefined || application === undefined) {
    const details = defined({
      externalId: client === undefined ? 'is not registered' : undefined,
      planId: plan === undefined ? 'is no plan of yours' : undefined,
    });
    throw new ApiError('not_found', { details });
  }
  const aheadMs = startDate === undefined ? 0 : Date.parse(startDate) - nowMs;
  const isInRange = aheadMs >= -maxStartAgeMs && aheadMs <= maxStartAheadMs;
  const gateway = paymentGateway(application.settings);
  if (!isInRange)
    throw new ApiError('invalid_request', {
      details: { startDate: 'must be from a day ago to a year ahead' },
    });
  if (gateway === 'sandbox' && !isSandboxAvailable(gateway, env.sandboxGateway())) {
    const problem = 'is sandbox, which is off in this deployment: an operator has to change it';
    throw new ApiError('conflict', { details: { paymentGateway: problem } });
  }
  if (!plan.isActive) throw new ApiError('conflict', { details: { planId: 'is not sold any more' } });
  const { tax, legal = {} } = sellerDetails(application);
  const { withoutCountry } = application.settings.tax ?? {};
  const problem = tax && taxProblem({ ...tax, withoutCountry }, { seller: legal, customer: client });
  if (problem !== undefined) throw new ApiError('conflict', { details: { externalId: problem } });
  return { application, plan };
}

function expectReturnUrls({ successUrl, cancelUrl }: Request['body']): void {
  if (successUrl !== undefined && cancelUrl !== undefined) return;
  const missing = 'is required, because a checkout is opened: the client gets no trial';
  const details = defined({
    successUrl: successUrl === undefined ? missing : undefined,
    cancelUrl: cancelUrl === undefined ? missing : undefined,
  });
  throw new ApiError('invalid_request', { details });
}

/**
 * The client's other subscriptions: the one on trial or overdue, and the pending one, with its only invoice.
 * @throws ApiError `conflict`, with the subscription in its details, when one is active or paused.
 */
async function otherSubscriptions(client: Client): Promise<{
  concurrent: Subscription | undefined;
  pending: Subscription | undefined;
  invoices: readonly Invoice[];
}> {
  const { applicationId, externalId, runningId, pendingId } = client;
  if (runningId === undefined && pendingId === undefined)
    return { concurrent: undefined, pending: undefined, invoices: [] };
  const [{ subscriptions }, invoice] = await Promise.all([
    subscriptionStore.getWithClient(applicationId, externalId, [runningId, pendingId]),
    pendingId === undefined ? undefined : invoiceStore.get(pendingId, 1),
  ]);
  const invoices = invoice === undefined ? [] : [invoice];
  const [running, pending] = await Promise.all(
    subscriptions.map(
      async (subscription) =>
        subscription && (await runDueSteps({ client, subscription, invoices }, commandDeps)).subscription,
    ),
  );
  if (running?.status === 'active' || running?.status === 'paused') {
    const { subscriptionId: _id, status, referenceNumber } = running;
    throw new ApiError('conflict', { details: { subscription: { _id, status, referenceNumber } } });
  }
  return {
    concurrent: running?.status === 'trialing' || running?.status === 'past_due' ? running : undefined,
    pending: pending?.status === 'pending' ? pending : undefined,
    invoices,
  };
}

export const handler = endpoint(createRoute, createSubscription, apiKeyCaller);
