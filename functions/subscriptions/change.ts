import { checkoutUrl } from '../invoices/payment-link.ts';
import { apiKeyCaller } from '../shared/auth/bearer.ts';
import { defined } from '../shared/contract/defined.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import {
  type IdempotentRequest,
  idempotentRequest,
  responseWrite,
  storedResponse,
} from '../shared/table/idempotency.ts';
import { retryOnConflict } from '../shared/table/optimistic-retry.ts';
import { withCredits } from './commands/client-subscriptions-store.ts';
import { commandDeps, invalidTransition } from './commands/execute-command.ts';
import { type PlanChangeRequest, planChangeCommand } from './commands/plan-change-command.ts';
import { runDueSteps, scheduleChangeFollowUp } from './commands/run-due-steps.ts';
import type { SubscriptionOwner } from './commands/subscription-queries.ts';
import { route } from './contracts/change.ts';
import { decide } from './machine/decide.ts';
import { transitionContext } from './machine/transition-context.ts';
import { toPlanChangeResponse, toUnchangedPlanResponse } from './present/plan-change.ts';
import { toChangeResponse } from './present/subscription.ts';

const changeDeps = () => Object.assign(commandDeps(), { checkoutUrl });
type ChangeDeps = ReturnType<typeof changeDeps>;
type Response = Output<typeof route>;

/** The response as stored under an Idempotency-Key. The link to the checkout is derived from `invoiceId`. */
interface StoredChange {
  subscription: Response['subscription'];
  change: Response['change'];
  invoiceId?: string;
}

const { method, path } = route;

/** Changes the plan or the quantity of a subscription, or plans this for the end of the term. */
export async function changeSubscription(
  { params: { id }, headers, body, caller, rateLimitPassed, baseUrl }: Input<typeof route>,
  deps: ChangeDeps,
): Promise<Response> {
  const { applicationId } = caller;
  const key = headers['idempotency-key'];
  const request = idempotentRequest(applicationId, key, { method, path, body: { id, ...body } });
  const [earlier, owner, plan] = await Promise.all([
    storedResponse<StoredChange>(request, deps.clock.nowMs()),
    deps.queries.getOwner(applicationId, id),
    deps.plans.get(applicationId, body.planId),
  ]);
  await rateLimitPassed;
  if (owner === undefined) throw new ApiError('not_found');
  const { quotedAt, planId: _, ...asked } = body;
  const quotedAtMs = quotedAt === undefined ? undefined : Date.parse(quotedAt);
  const stored = earlier ?? (await changedOnce(owner, { ...asked, plan, quotedAtMs }, request, deps));
  const { invoiceId, ...response } = stored;
  return {
    ...response,
    ...defined({ checkoutUrl: invoiceId && (await deps.checkoutUrl(baseUrl, invoiceId)) }),
  };
}

/** Takes the due steps, decides, and writes the change with its response; again after a concurrent write. */
function changedOnce(
  { applicationId, externalId, subscriptionId }: SubscriptionOwner,
  asked: PlanChangeRequest,
  request: IdempotentRequest | undefined,
  deps: ChangeDeps,
): Promise<StoredChange> {
  let isRepeat = false;
  return retryOnConflict(async () => {
    // A concurrent request with the key may have come first.
    const earlier = isRepeat ? await storedResponse<StoredChange>(request, deps.clock.nowMs()) : undefined;
    if (earlier !== undefined) return earlier;
    isRepeat = true;
    const [{ client, subscriptions }, invoices] = await Promise.all([
      deps.subscriptions.getWithClient(applicationId, externalId, [subscriptionId]),
      deps.invoices.latest(subscriptionId),
    ]);
    const [subscription] = subscriptions;
    if (subscription === undefined || client === undefined) throw new ApiError('not_found');
    const current = await runDueSteps({ client, subscription, invoices }, deps);
    const nowMs = deps.clock.nowMs();
    const command = await planChangeCommand(current, asked, nowMs, deps);
    if (command.kind === 'unchanged') {
      const change = toUnchangedPlanResponse(current.subscription, nowMs);
      return { subscription: toChangeResponse(current.subscription), change };
    }
    const { event, atMs } = command;
    const context = transitionContext(event, { by: 'application', client: current.client, atMs }, deps);
    const outcome = decide(current.subscription, context);
    if (outcome.kind !== 'changed') throw invalidTransition(current.subscription);
    const { change } = outcome;
    const response = storedChange(toPlanChangeResponse(command, change), change);
    const writes = request === undefined ? [] : [responseWrite(request, response, nowMs)];
    const clientChange = withCredits(current.client, [change]);
    const isWritten = await deps.subscriptions.write([change], current.invoices, clientChange, () => ({
      writes,
      events: [],
    }));
    if (!isWritten) return undefined;
    await scheduleChangeFollowUp(change, deps);
    return response;
  });
}

function storedChange(
  details: Response['change'],
  { next, issued }: Extract<ReturnType<typeof decide>, { kind: 'changed' }>['change'],
): StoredChange {
  const invoice = details.amountDue > 0 && next.gateway !== 'none' ? issued[0] : undefined;
  return {
    subscription: toChangeResponse(next),
    change: details,
    ...defined({ invoiceId: invoice?.invoiceId }),
  };
}

export const handler = endpoint(route, changeSubscription, changeDeps, apiKeyCaller);
