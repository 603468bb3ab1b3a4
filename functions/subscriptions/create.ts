import { type Application, getApplication } from '../shared/applications.ts';
import { apiKeyCaller } from '../shared/bearer.ts';
import { nowMs } from '../shared/clock.ts';
import type { Input, Output } from '../shared/contract.ts';
import { endpoint } from '../shared/endpoint.ts';
import { ApiError } from '../shared/errors.ts';
import { earlierAnswer, keyedRequest } from '../shared/idempotency.ts';
import { randomFraction } from '../shared/random.ts';
import { recordId } from '../shared/record-id.ts';
import { untilWon } from '../shared/until-won.ts';
import { advance, followChange } from './advance.ts';
import { follow } from './arming.ts';
import { changeIn } from './change.ts';
import { checkoutUrl } from './checkout-link.ts';
import type { Client } from './client.ts';
import { decideOn } from './deciding.ts';
import { newSubscription } from './new-subscription.ts';
import type { Plan } from './plan.ts';
import { planStore } from './plan-store.ts';
import { gatewayOf } from './policy.ts';
import { routes } from './routes.ts';
import { shownChange } from './shown.ts';
import type { Subscription } from './subscription.ts';
import { subscriptionStore } from './subscription-store.ts';
import { dayMs } from './term.ts';

const createDeps = () => ({
  ...{ subscriptions: subscriptionStore, plans: planStore },
  ...{ getApplication, follow, checkoutUrl, nowMs, recordId, random: randomFraction },
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
  { headers, body, caller, admitted, baseUrl }: Request,
  deps: CreateDeps,
): Promise<Output<typeof routes.create>> {
  const atMs = deps.nowMs();
  const { applicationId } = caller;
  const request = keyedRequest(applicationId, headers['idempotency-key'], { method, path, body });
  const [earlier, found] = await Promise.all([
    earlierAnswer<Kept>(request, atMs),
    deps.subscriptions.forCreation(applicationId, body.externalId, body.planId),
  ]);
  const answer = async ({ subscription, invoiceId }: Kept) => ({
    subscription,
    ...(invoiceId !== undefined && { checkoutUrl: await deps.checkoutUrl(baseUrl, invoiceId) }),
  });
  if (earlier !== undefined) return answer(earlier);
  const { application, plan } = checked(found, body, atMs);

  await admitted;
  let { client } = found;
  const kept = await untilWon(async () => {
    if (client === undefined)
      throw new ApiError('not_found', { details: { externalId: 'is not registered' } });
    const { beside, waiting } = await others(client, deps);
    const created = newSubscription(body, { application, plan, client, baseUrl, beside }, deps);
    const superseded =
      waiting &&
      changeIn(decideOn({ client, subscription: waiting }, { event: 'supersede' }, 'application', deps));
    const invoiceId = created.next.gateway === 'none' ? undefined : created.issued[0]?.invoiceId;
    const mine: Kept = {
      subscription: shownChange(created.next),
      ...(invoiceId !== undefined && { invoiceId }),
    };
    const holds = await deps.subscriptions.create(
      created,
      { superseded, beside, client },
      { request, answer: mine, nowMs: deps.nowMs() },
    );
    if (holds === mine) {
      const written = [created, ...(superseded ? [superseded] : [])];
      await Promise.all(written.map((change) => followChange(change, deps)));
    }
    if (holds !== undefined) return holds;
    const again = await deps.subscriptions.load(applicationId, body.externalId, []);
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
  const hasGateway = gatewayOf(application.settings) !== 'none';
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
  const { subscriptions } = await deps.subscriptions.load(applicationId, externalId, [runningId, pendingId]);
  const [running, waiting] = await Promise.all(
    subscriptions.map(
      async (one) => one && (await advance({ client, subscription: one }, deps)).subscription,
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
