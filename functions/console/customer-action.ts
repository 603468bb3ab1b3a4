import { ApiError, type ErrorCode } from '../shared/contract/errors.ts';
import type { Input } from '../shared/contract/route.ts';
import { html } from '../shared/html/markup.ts';
import { subscriptionQueries } from '../subscriptions/commands/subscription-queries.ts';
import { route } from './contracts/customer-action.ts';
import { carryOut } from './customers/actions.ts';
import { filled } from './pages/path.ts';
import { type Answer, redirectTo, show, type Visit } from './pages/visit.ts';
import { consoleEndpoint } from './session/console-endpoint.ts';

/** Carries out an action on a subscription. A form that is sent again changes nothing, and gets the same answer. */
export async function actOnCustomer({ params, body }: Input<typeof route>, visit: Visit): Promise<Answer> {
  const { applicationId, subscriptionId } = params;
  const owner = await subscriptionQueries.getOwner(applicationId, subscriptionId);
  if (owner === undefined) throw new ApiError('not_found');
  const { operator, nowMs } = visit;
  try {
    return redirectTo(filled(route.path, params), await carryOut({ owner, operator, nowMs }, body));
  } catch (error) {
    const refusal = error instanceof ApiError ? refusals[error.code] : undefined;
    if (refusal === undefined) throw error;
    return refused(visit, refusal);
  }
}

interface Refusal {
  status: 409 | 422;
  text: string;
}

const refusals: Readonly<Partial<Record<ErrorCode, Refusal>>> = {
  conflict: {
    status: 409,
    text: 'The subscription has changed since you opened the page. Reload the page and try again.',
  },
  invalid_transition: { status: 409, text: 'The status of the subscription does not allow this.' },
  idempotency_mismatch: { status: 409, text: 'This form was already submitted with different values.' },
  invalid_request: {
    status: 422,
    text: 'An entry is not possible. The days are a number, and the new end is later than the present one and than now, by up to 366 days. An amount is a number with a dot, and at most what is left of the invoice.',
  },
};

function refused({ href, path }: Visit, { status, text }: Refusal): Answer {
  const title = 'Nothing was changed';
  const back = html`<p><a href="${href(path)}">Back to the subscription</a></p>`;
  return show(title, html`<h1>${title}</h1><p role="alert">${text}</p>${back}`, { status });
}

export const handler = consoleEndpoint(route, 'finance', actOnCustomer);
