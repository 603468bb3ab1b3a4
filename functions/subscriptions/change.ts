import { dueMinor } from '../invoices/due.ts';
import { checkoutUrl } from '../invoices/payment-link.ts';
import { planStore } from '../plans/store.ts';
import { sellerCaller } from '../shared/auth/bearer.ts';
import type { SellerCaller } from '../shared/contract/callers.ts';
import { defined } from '../shared/contract/defined.ts';
import { ApiError, endpoint, type Handler, type Output } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import { idempotentRequest, storedResponse } from '../shared/table/idempotency.ts';
import { withCredits } from './commands/client-subscriptions-store.ts';
import { commandDeps, type Decided } from './commands/execute-command.ts';
import { executeOnce } from './commands/execute-once.ts';
import { changeAudit } from './commands/operator-audit.ts';
import {
  decidePlanChange,
  type PlanChangeRequest,
  planChangeRequest,
} from './commands/plan-change-command.ts';
import { type SubscriptionOwner, subscriptionQueries } from './commands/subscription-queries.ts';
import { changeRoute } from './contracts/plan-changes.ts';
import type { Change } from './machine/decide.ts';
import { toPlanChangeResponse } from './present/plan-change.ts';
import { toChangeResponse } from './present/subscription.ts';

type Response = Output<typeof changeRoute>;

/** The response as stored under an Idempotency-Key. The link to the checkout is derived from `invoiceId`. */
interface StoredChange {
  subscription: Response['subscription'];
  change: Response['change'];
  invoiceId: string | undefined;
}

/** Changes the plan or the quantity of a subscription, or plans this for the end of the term. */
export const changeSubscription: Handler<typeof changeRoute> = async ({
  params: { id },
  headers,
  body,
  caller,
  rateLimitPassed,
  baseUrl,
}) => {
  const { applicationId } = caller;
  const request = idempotentRequest(applicationId, headers, changeRoute, { id, ...body });
  const [earlier, owner, plan] = await Promise.all([
    storedResponse<StoredChange>(request, clock.nowMs()),
    subscriptionQueries.getOwner(applicationId, id),
    planStore.get(applicationId, body.planId),
  ]);
  await rateLimitPassed;
  if (owner === undefined) throw new ApiError('not_found');
  const asked = planChangeRequest(body, plan);
  const stored = earlier ?? (await executeOnce(request, () => decideChange(owner, asked, caller)));
  const { invoiceId, ...response } = stored;
  return {
    ...response,
    ...defined({ checkoutUrl: invoiceId && (await checkoutUrl(baseUrl, invoiceId)) }),
  };
};

async function decideChange(
  owner: SubscriptionOwner,
  asked: PlanChangeRequest,
  caller: SellerCaller,
): Promise<Decided<StoredChange>> {
  const decided = await decidePlanChange(owner, asked, commandDeps);
  const details = toPlanChangeResponse(decided);
  if (decided.kind === 'unchanged') {
    const subscription = toChangeResponse(decided.subscription);
    const response = { subscription, change: details, invoiceId: undefined };
    return { kind: 'unchanged', response };
  }
  const { change, current } = decided;
  return {
    kind: 'changed',
    changes: [change],
    invoices: current.invoices,
    clientChange: withCredits(current.client, [change]),
    writes: () =>
      caller.by === 'operator' ? changeAudit(caller.operator, change.previous, change.next, undefined) : [],
    response: () => storedChange(details, change),
  };
}

function storedChange(details: Response['change'], { next, issued }: Change): StoredChange {
  const due = next.gateway === 'none' ? undefined : issued.find((invoice) => dueMinor(invoice) > 0);
  return {
    subscription: toChangeResponse(next),
    change: details,
    invoiceId: due?.invoiceId,
  };
}

export const handler = endpoint(changeRoute, changeSubscription, sellerCaller);
