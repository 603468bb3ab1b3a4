import { ApiError } from '../shared/contract/errors.ts';
import type { Input } from '../shared/contract/route.ts';
import { route as clientRoute } from './contracts/client-show.ts';
import { route } from './contracts/customer-show.ts';
import { customerPage } from './customers/customer-page.ts';
import { readCustomer } from './customers/read-customer.ts';
import { customersOf } from './customers/words.ts';
import { filled } from './pages/path.ts';
import { type Answer, show, type Visit } from './pages/visit.ts';
import { consoleEndpoint } from './session/console-endpoint.ts';

/** Shows a subscription, why it gives access or none, and what operators can do. */
export async function showCustomer({ params, query }: Input<typeof route>, visit: Visit): Promise<Answer> {
  const customer = await readCustomer(params, query.cursor, visit);
  if (customer === undefined) throw new ApiError('not_found');
  const { subscription, client, applicationName } = customer;
  const crumbs = customersOf({ applicationId: params.applicationId, name: applicationName });
  const ofClient = { [filled(clientRoute.path, subscription)]: client.name ?? client.email };
  return show(subscription.referenceNumber, customerPage(visit, customer), {
    crumbs: Object.assign(crumbs, ofClient),
  });
}

export const handler = consoleEndpoint(route, 'finance', showCustomer);
