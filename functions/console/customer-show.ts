import { ApiError } from '../shared/contract/errors.ts';
import type { Input } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { route } from './contracts/customer-show.ts';
import { customerPage } from './customers/customer-page.ts';
import { readCustomer } from './customers/read-customer.ts';
import { withConsoleErrorPages } from './pages/refusals.ts';
import { type Answer, show, type Visit } from './pages/visit.ts';
import { forOperator } from './session/for-operator.ts';

/** Shows a subscription, why it gives access or none, and what support can do. */
export async function showCustomer({ params, query }: Input<typeof route>, visit: Visit): Promise<Answer> {
  const customer = await readCustomer(params, query.cursor, visit.nowMs);
  if (customer === undefined) throw new ApiError('not_found');
  return show(customer.subscription.referenceNumber, customerPage(visit, customer));
}

export const handler = withConsoleErrorPages(
  route.path,
  endpoint(route, forOperator(route, 'finance', showCustomer)),
);
