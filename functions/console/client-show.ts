import { clientStore } from '../clients/store.ts';
import { invoiceStore } from '../invoices/store.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Input } from '../shared/contract/route.ts';
import { keyedPage } from '../shared/lists/keyed-list.ts';
import { accessWithCredit } from '../subscriptions/commands/access-with-credit.ts';
import { isSubscriptionId, subscriptionQueries } from '../subscriptions/commands/subscription-queries.ts';
import { hasEnded, type Subscription } from '../subscriptions/record/subscription.ts';
import { route } from './contracts/client-show.ts';
import type { Entitlement } from './customers/access-in-words.ts';
import { clientPage } from './customers/client-page.ts';
import { type Answer, show, type Visit } from './pages/visit.ts';
import { consoleEndpoint } from './session/console-endpoint.ts';

/** Subscriptions of one page. */
const limit = 25;

/** Shows a client with their subscriptions. */
export async function showClient({ params, query }: Input<typeof route>, visit: Visit): Promise<Answer> {
  const { applicationId, externalId } = params;
  const { nowMs } = visit;
  const [client, page] = await Promise.all([
    clientStore.get(applicationId, externalId),
    keyedPage<Subscription, Entitlement>(
      {
        scope: ['console-client', applicationId, externalId],
        read: (range) => subscriptionQueries.listPage(applicationId, externalId, range),
        idOf: ({ subscriptionId }) => subscriptionId,
        isId: isSubscriptionId,
        toResponse: (subscription) => entitlementOf(subscription, nowMs),
      },
      { limit, cursor: query.cursor },
    ),
  ]);
  if (client === undefined) throw new ApiError('not_found');
  return show('Client', clientPage(visit, client, page));
}

/** A subscription with its access, and the invoices that explain it. One that is over needs none. */
async function entitlementOf(subscription: Subscription, nowMs: number): Promise<Entitlement> {
  const [access, invoices] = await Promise.all([
    accessWithCredit(subscription, nowMs, { clients: clientStore }),
    hasEnded(subscription.status) ? [] : invoiceStore.latest(subscription.subscriptionId),
  ]);
  return { subscription, access, invoices, nowMs };
}

export const handler = consoleEndpoint(route, 'finance', showClient);
