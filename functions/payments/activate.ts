import { statedMinor } from '../ledger/stated-amount.ts';
import { apiKeyCaller } from '../shared/auth/bearer.ts';
import { ApiError, endpoint, type Handler, type Input } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import { idempotentRequest } from '../shared/table/idempotency.ts';
import { subscriptionQueries } from '../subscriptions/commands/subscription-queries.ts';
import { activateRoute } from './contracts/payments.ts';
import { type Activation, activate } from './settle/pay-open-invoices.ts';
import { valueAtMsOf, valueDateProblem } from './value-date.ts';

/**
 * Records a payment outside a gateway. Without an amount, it is one of the given invoice, or of all that is open; without an
 * open invoice it changes nothing then, so that a repeated request does not pay for a second term.
 *
 * @throws ApiError `not_found` when the subscription has no such invoice; `invalid_request` for an amount with more decimals
 * than its currency has, and for a value date that cannot be right.
 */
export const activateSubscription: Handler<typeof activateRoute> = async ({
  params: { id },
  headers,
  body,
  caller,
  rateLimitPassed,
}) => {
  const owner = await subscriptionQueries.getOwner(caller.applicationId, id);
  await rateLimitPassed;
  if (owner === undefined) throw new ApiError('not_found');
  const request = idempotentRequest(caller.applicationId, headers, activateRoute, { id, ...body });
  return { subscription: await activate(owner, activationOf(body, clock.nowMs()), request) };
};

function activationOf(
  { paymentId, amount, currency, valueDate, invoiceId }: Input<typeof activateRoute>['body'],
  nowMs: number,
): Activation {
  const valueAtMs = valueAtMsOf(valueDate, nowMs);
  if (valueAtMs === undefined)
    throw new ApiError('invalid_request', { details: { valueDate: valueDateProblem } });
  return {
    valueAtMs,
    paymentId,
    currency,
    invoiceId,
    amountIn: (currency) => (amount === undefined ? undefined : statedMinor(amount, currency)),
  };
}

export const handler = endpoint(activateRoute, activateSubscription, apiKeyCaller);
