import { dueMinor } from '../invoices/due.ts';
import { checkoutUrl } from '../invoices/payment-link.ts';
import { planStore } from '../plans/store.ts';
import { apiKeyCaller } from '../shared/auth/bearer.ts';
import { defined } from '../shared/contract/defined.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import {
  type IdempotentRequest,
  idempotentRequest,
  responseWrite,
  storedResponse,
} from '../shared/table/idempotency.ts';
import { retryOnConflict } from '../shared/table/optimistic-retry.ts';
import { withCredits } from './commands/client-subscriptions-store.ts';
import { commandDeps } from './commands/execute-command.ts';
import {
  decidePlanChange,
  type PlanChangeRequest,
  planChangeRequest,
} from './commands/plan-change-command.ts';
import { scheduleChangeFollowUp } from './commands/run-due-steps.ts';
import { type SubscriptionOwner, subscriptionQueries } from './commands/subscription-queries.ts';
import { subscriptionStore } from './commands/subscription-store.ts';
import { route } from './contracts/change.ts';
import type { Change } from './machine/decide.ts';
import { toPlanChangeResponse } from './present/plan-change.ts';
import { toChangeResponse } from './present/subscription.ts';

type Response = Output<typeof route>;

/** The response as stored under an Idempotency-Key. The link to the checkout is derived from `invoiceId`. */
interface StoredChange {
  subscription: Response['subscription'];
  change: Response['change'];
  invoiceId?: string;
}

const { method, path } = route;

/** Changes the plan or the quantity of a subscription, or plans this for the end of the term. */
export async function changeSubscription({
  params: { id },
  headers,
  body,
  caller,
  rateLimitPassed,
  baseUrl,
}: Input<typeof route>): Promise<Response> {
  const { applicationId } = caller;
  const key = headers['idempotency-key'];
  const request = idempotentRequest(applicationId, key, { method, path, body: { id, ...body } });
  const [earlier, owner, plan] = await Promise.all([
    storedResponse<StoredChange>(request, clock.nowMs()),
    subscriptionQueries.getOwner(applicationId, id),
    planStore.get(applicationId, body.planId),
  ]);
  await rateLimitPassed;
  if (owner === undefined) throw new ApiError('not_found');
  const stored = earlier ?? (await changedOnce(owner, planChangeRequest(body, plan), request));
  const { invoiceId, ...response } = stored;
  return {
    ...response,
    ...defined({ checkoutUrl: invoiceId && (await checkoutUrl(baseUrl, invoiceId)) }),
  };
}

/** Decides, and writes the change with its response; again after a concurrent write. */
function changedOnce(
  owner: SubscriptionOwner,
  asked: PlanChangeRequest,
  request: IdempotentRequest | undefined,
): Promise<StoredChange> {
  let isRepeat = false;
  return retryOnConflict(async () => {
    // A concurrent request with the key may have come first.
    const earlier = isRepeat ? await storedResponse<StoredChange>(request, clock.nowMs()) : undefined;
    if (earlier !== undefined) return earlier;
    isRepeat = true;
    const decided = await decidePlanChange(owner, asked, commandDeps);
    const { current } = decided;
    const details = toPlanChangeResponse(decided);
    if (decided.kind === 'unchanged')
      return { subscription: toChangeResponse(decided.subscription), change: details };
    const { change } = decided;
    const response = storedChange(details, change);
    const writes = request === undefined ? [] : [responseWrite(request, response, clock.nowMs())];
    const clientChange = withCredits(current.client, [change]);
    const isWritten = await subscriptionStore.write([change], current.invoices, clientChange, () => ({
      writes,
      events: [],
    }));
    if (!isWritten) return undefined;
    await scheduleChangeFollowUp(change, commandDeps);
    return response;
  });
}

function storedChange(details: Response['change'], { next, issued }: Change): StoredChange {
  const due = next.gateway === 'none' ? undefined : issued.find((invoice) => dueMinor(invoice) > 0);
  return {
    subscription: toChangeResponse(next),
    change: details,
    ...defined({ invoiceId: due?.invoiceId }),
  };
}

export const handler = endpoint(route, changeSubscription, apiKeyCaller);
