import { type Application, getApplication } from '../shared/accounts/applications.ts';
import { apiKeyCaller } from '../shared/auth/bearer.ts';
import { defined } from '../shared/contract/defined.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { nowMs } from '../shared/runtime/clock.ts';
import { dayMs } from '../shared/runtime/duration.ts';
import { newId } from '../shared/runtime/ids.ts';
import { randomFraction } from '../shared/runtime/random.ts';
import { idempotentRequest, storedResponse } from '../shared/table/idempotency.ts';
import { retryOnConflict } from '../shared/table/optimistic-retry.ts';
import { toChangeResponse } from './api/present.ts';
import { checkoutUrl } from './checkout/link.ts';
import type { Client } from './clients/client.ts';
import { decideFor } from './deciding.ts';
import { runDueSteps, scheduleChangeFollowUp } from './engine/run-due-steps.ts';
import { subscriptionStore } from './engine/subscription-store.ts';
import { appliedChange } from './lifecycle/decide.ts';
import { newSubscription } from './lifecycle/new-subscription.ts';
import { paymentGateway } from './lifecycle/policy.ts';
import type { Subscription } from './lifecycle/subscription.ts';
import type { Plan } from './plans/plan.ts';
import { planStore } from './plans/store.ts';
import { routes } from './routes.ts';
import { scheduleFollowUp } from './scheduling/schedule.ts';

const createDeps = () => ({
  subscriptions: subscriptionStore,
  plans: planStore,
  getApplication,
  scheduleFollowUp,
  checkoutUrl,
  nowMs,
  newId,
  random: randomFraction,
});
type CreateDeps = ReturnType<typeof createDeps>;
type Request = Input<typeof routes.create>;

/** What is kept under an Idempotency-Key; the link to the checkout follows from it. */
interface Kept {
  subscription: Output<typeof routes.create>['subscription'];
  invoiceId?: string;
}

const { method, path } = routes.create;
const earliestMs = dayMs;
const latestMs = 366 * dayMs;

/** Subscribes a client: to a trial if the plan has one that he may take, otherwise to what he has to pay first. */
export async function createSubscription(
  { headers, body, caller, rateLimitPassed, baseUrl }: Request,
  deps: CreateDeps,
): Promise<Output<typeof routes.create>> {
  const atMs = deps.nowMs();
  const { applicationId } = caller;
  const request = idempotentRequest(applicationId, headers['idempotency-key'], { method, path, body });
  const [earlier, found] = await Promise.all([
    storedResponse<Kept>(request, atMs),
    deps.subscriptions.getCreationInputs(applicationId, body.externalId, body.planId),
  ]);
  const answer = async ({ subscription, invoiceId }: Kept) => ({
    subscription,
    ...(invoiceId !== undefined && { checkoutUrl: await deps.checkoutUrl(baseUrl, invoiceId) }),
  });
  if (earlier !== undefined) return answer(earlier);
  const { application, plan } = checked(found, body, atMs);

  await rateLimitPassed;
  let { client } = found;
  const kept = await retryOnConflict(async () => {
    if (client === undefined)
      throw new ApiError('not_found', { details: { externalId: 'is not registered' } });
    const { beside, waiting } = await others(client, deps);
    const created = newSubscription(body, { application, plan, client, baseUrl, concurrent: beside }, deps);
    const superseded =
      waiting &&
      appliedChange(
        decideFor({ client, subscription: waiting }, { event: 'supersede' }, 'application', deps),
      );
    const invoiceId = created.next.gateway === 'none' ? undefined : created.issued[0]?.invoiceId;
    const mine: Kept = {
      subscription: toChangeResponse(created.next),
      ...defined({ invoiceId }),
    };
    const holds = await deps.subscriptions.create(
      created,
      { superseded, beside, client },
      { request, answer: mine, nowMs: deps.nowMs() },
    );
    if (holds === mine) {
      const written = [created, ...(superseded ? [superseded] : [])];
      await Promise.all(written.map((change) => scheduleChangeFollowUp(change, deps)));
    }
    if (holds !== undefined) return holds;
    const again = await deps.subscriptions.getWithClient(applicationId, body.externalId, []);
    ({ client } = again);
    return undefined;
  });
  return answer(kept);
}

/** @throws ApiError `not_found`, `conflict`, `invalid_request` */
function checked(
  found: { client: Client | undefined; plan: Plan | undefined; application: Application | undefined },
  { startDate, successUrl, cancelUrl }: Request['body'],
  nowMs: number,
): { application: Application; plan: Plan } {
  const { client, plan, application } = found;
  if (client === undefined || plan === undefined || application === undefined) {
    const details = {
      ...(client === undefined && { externalId: 'is not registered' }),
      ...(plan === undefined && { planId: 'is no plan of yours' }),
    };
    throw new ApiError('not_found', { details });
  }
  const aheadMs = startDate === undefined ? 0 : Date.parse(startDate) - nowMs;
  const hasGateway = paymentGateway(application.settings) !== 'none';
  const details = {
    ...(!(aheadMs >= -earliestMs && aheadMs <= latestMs) && {
      startDate: 'must be from a day ago to a year ahead',
    }),
    ...(hasGateway && successUrl === undefined && { successUrl: 'is required with a payment gateway' }),
    ...(hasGateway && cancelUrl === undefined && { cancelUrl: 'is required with a payment gateway' }),
  };
  if (Object.keys(details).length > 0) throw new ApiError('invalid_request', { details });
  if (!plan.isActive) throw new ApiError('conflict', { details: { planId: 'is not sold any more' } });
  return { application, plan };
}

/**
 * What the client has already: one that runs beside, and one that waits for its payment.
 * @throws ApiError `conflict`, naming the one that is active or paused.
 */
async function others(
  client: Client,
  deps: CreateDeps,
): Promise<{ beside: Subscription | undefined; waiting: Subscription | undefined }> {
  const { applicationId, externalId, runningId, pendingId } = client;
  if (runningId === undefined && pendingId === undefined) return { beside: undefined, waiting: undefined };
  const { subscriptions } = await deps.subscriptions.getWithClient(applicationId, externalId, [
    runningId,
    pendingId,
  ]);
  const [running, waiting] = await Promise.all(
    subscriptions.map(
      async (one) => one && (await runDueSteps({ client, subscription: one }, deps)).subscription,
    ),
  );
  if (running?.status === 'active' || running?.status === 'paused') {
    const { subscriptionId: _id, status, referenceNumber } = running;
    throw new ApiError('conflict', { details: { subscription: { _id, status, referenceNumber } } });
  }
  return {
    beside: running?.status === 'trialing' || running?.status === 'past_due' ? running : undefined,
    waiting: waiting?.status === 'pending' ? waiting : undefined,
  };
}

export const handler = endpoint(routes.create, createSubscription, createDeps, apiKeyCaller);
