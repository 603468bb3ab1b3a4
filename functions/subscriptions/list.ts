import type * as z from 'zod/mini';
import { clientStore } from '../clients/store.ts';
import { sellerCaller } from '../shared/auth/bearer.ts';
import { ApiError, endpoint, type Input, type Reply } from '../shared/lambda/endpoint.ts';
import { amountCell, type Columns, cells, listReply } from '../shared/lists/csv.ts';
import { indexedPage } from '../shared/lists/indexed-list.ts';
import { type KeyedList, keyedPage } from '../shared/lists/keyed-list.ts';
import type { ListPage } from '../shared/lists/list-page.ts';
import { clock } from '../shared/runtime/clock.ts';
import { accessWithCredit } from './commands/access-with-credit.ts';
import { subscriptionsOf } from './commands/listed-subscriptions.ts';
import { isSubscriptionId, subscriptionQueries } from './commands/subscription-queries.ts';
import { listRoute } from './contracts/subscriptions.ts';
import { toSubscriptionResponse } from './present/subscription.ts';
import { parseReference } from './record/reference-number.ts';
import type { Subscription } from './record/subscription.ts';
import type { SubscriptionSchema } from './schemas.ts';

type ListedSubscription = z.output<typeof SubscriptionSchema>;

/** Lists have the plan itself, and only the response to a creation has its id alone. */
const planOf = ({ planId }: ListedSubscription) => (typeof planId === 'string' ? undefined : planId);

function priceOf(subscription: ListedSubscription) {
  const plan = planOf(subscription);
  return plan && amountCell(plan.price, plan.currency);
}

const subscriptionColumns: Columns<ListedSubscription> = {
  id: ({ _id }) => _id,
  ...cells('referenceNumber', 'externalId', 'status'),
  planId: (subscription) => planOf(subscription)?._id,
  plan: (subscription) => planOf(subscription)?.name,
  quantity: ({ quantity = 1 }) => quantity,
  price: priceOf,
  currency: (subscription) => planOf(subscription)?.currency,
  billingCycle: (subscription) => planOf(subscription)?.billingCycle,
  ...cells('startDate', 'endDate', 'trialStart', 'trialEnd', 'autoRenew', 'cancelAtPeriodEnd', 'access'),
  ...cells('endedAt', 'endReason', 'createdAt'),
};

type Query = Input<typeof listRoute>['query'];
type SubscriptionResponse = ReturnType<typeof toSubscriptionResponse>;
type Page = ListPage<SubscriptionResponse>;

/** Lists the subscriptions of the application or of a client, newest first, or the one with a reference number. */
export async function listSubscriptions(request: Input<typeof listRoute>): Promise<Reply> {
  const { query, caller } = request;
  const page = isOfApplication(query)
    ? await pageOfApplication(caller.applicationId, query)
    : await pageOfClient(caller.applicationId, query);
  return listReply(request, listRoute, 'subscriptions', page, subscriptionColumns);
}

/**
 * Whether all subscriptions of the application are meant.
 *
 * @throws ApiError `invalid_request` when filters are combined that exclude each other.
 */
function isOfApplication({ externalId, referenceNumber, status, planId, from, to }: Query): boolean {
  const ofClient = Object.entries({ externalId, referenceNumber }).filter(([, value]) => value !== undefined);
  const others = Object.entries({ status, planId, from, to }).filter(([, value]) => value !== undefined);
  const together = [...ofClient, ...others];
  if (ofClient.length > 0 && together.length > 1) {
    const problem = 'externalId and referenceNumber go with no other filter';
    throw new ApiError('invalid_request', {
      details: Object.fromEntries(together.map(([name]) => [name, problem])),
    });
  }
  return ofClient.length === 0;
}

function pageOfApplication(applicationId: string, query: Query): Promise<Page> {
  return indexedPage(subscriptionsOf(applicationId, query, responseAt()), query);
}

function pageOfClient(applicationId: string, query: Query): Promise<Page> {
  const filter = clientFilter(query);
  const list: KeyedList<Subscription, SubscriptionResponse> = {
    scope: ['subscriptions', applicationId, ...Object.entries(filter).flat()],
    read: async (range) => {
      if ('externalId' in filter)
        return subscriptionQueries.listPage(applicationId, filter.externalId, range);
      const subscription = await subscriptionQueries.getByReference(applicationId, filter.referenceNumber);
      return { items: subscription === undefined ? [] : [subscription], hasMore: false };
    },
    idOf: ({ subscriptionId }) => subscriptionId,
    isId: isSubscriptionId,
    toResponse: responseAt(),
  };
  return keyedPage(list, query);
}

/** Shows subscriptions as their own endpoint does: with the access that the client's credit gives while steps are late. */
function responseAt() {
  const nowMs = clock.nowMs();
  return async (subscription: Subscription): Promise<SubscriptionResponse> => {
    const access = await accessWithCredit(subscription, nowMs, { clients: clientStore });
    return toSubscriptionResponse(subscription, nowMs, access);
  };
}

/** @throws ApiError `invalid_request` when the reference number is mistyped. */
function clientFilter({
  externalId = '',
  referenceNumber,
}: Query): { externalId: string } | { referenceNumber: string } {
  if (referenceNumber === undefined) return { externalId };
  const canonical = parseReference(referenceNumber);
  if (canonical === undefined) {
    const problem = 'is mistyped: its check character does not fit, or it is not SUB- and eight characters';
    throw new ApiError('invalid_request', { details: { referenceNumber: problem } });
  }
  return { referenceNumber: canonical };
}

export const handler = endpoint(listRoute, listSubscriptions, sellerCaller);
