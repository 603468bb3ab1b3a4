import { ApiError, type ErrorCode } from '../shared/contract/errors.ts';
import type { Input } from '../shared/contract/route.ts';
import { subscriptionQueries } from '../subscriptions/commands/subscription-queries.ts';
import { route } from './contracts/customer-act.ts';
import { acts } from './customers/acts.ts';
import { customerPage } from './customers/customer-page.ts';
import { readCustomer } from './customers/read-customer.ts';
import { filled } from './pages/path.ts';
import { type Answer, done, show, type Visit } from './pages/visit.ts';
import { consoleEndpoint } from './session/console-endpoint.ts';

/** Carries out an act on a subscription. A form that is sent again changes nothing, and gets the same answer. */
export async function actOnCustomer({ params, body }: Input<typeof route>, visit: Visit): Promise<Answer> {
  const { applicationId, subscriptionId } = params;
  const owner = await subscriptionQueries.getOwner(applicationId, subscriptionId);
  if (owner === undefined) throw new ApiError('not_found');
  const { operator, nowMs } = visit;
  try {
    return done(filled(route.path, params), await acts[body.action]({ owner, operator, body, nowMs }));
  } catch (error) {
    const refusal = error instanceof ApiError ? refusals[error.code] : undefined;
    const customer = refusal && (await readCustomer(params, undefined, visit));
    if (customer === undefined) throw error;
    const page = customerPage(visit, customer, { body, ...refusal });
    return show(customer.subscription.referenceNumber, page, refusal?.alert === undefined ? 422 : 409);
  }
}

/** The errors after which the page is shown again, with the form and its entries. */
const refusals: Readonly<Partial<Record<ErrorCode, { alert?: string }>>> = {
  conflict: {
    alert:
      'The subscription has changed since you opened the page. Nothing was changed. The page shows its current status.',
  },
  invalid_transition: { alert: 'The status of the subscription does not allow this. Nothing was changed.' },
  idempotency_mismatch: {
    alert: 'This form was already submitted with different values. Nothing was changed.',
  },
  invalid_request: {},
};

export const handler = consoleEndpoint(route, 'finance', actOnCustomer);
