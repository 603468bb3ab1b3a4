import type { SellerCaller } from '../shared/contract/callers.ts';
import { defined } from '../shared/contract/defined.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Input } from '../shared/lambda/endpoint.ts';
import { isCurrency, maxAmountMinor, toMinor } from '../shared/money/money.ts';
import { parseReference } from '../subscriptions/record/reference-number.ts';
import type { createRoute } from './contracts/payments.ts';
import type { IncomingPayment, PaymentTarget } from './settle/incoming-payment.ts';
import { valueAtMsOf, valueDateProblem } from './value-date.ts';

type ReportedPayment = Input<typeof createRoute>['body'];

/**
 * The payment that a request reports, with its amount in minor units.
 *
 * @param sourceId the id under which the payment is recorded once.
 * @throws ApiError `invalid_request` when the amount has more decimals than the currency or is too large, when the runtime does not know
 * the currency, and for a value date before the year 2000 or more than a day ahead.
 */
export function incomingPayment(
  body: ReportedPayment,
  { applicationId }: SellerCaller,
  { sourceId, nowMs }: { sourceId: string; nowMs: number },
): IncomingPayment {
  const { amount, currency, valueDate, method, payer } = body;
  if (!isCurrency(currency)) throw invalid('currency', 'must be an ISO 4217 code');
  const amountMinor = toMinor(amount, currency);
  if (amountMinor === undefined || amountMinor <= 0)
    throw invalid('amount', 'must have at most as many decimals as the currency');
  if (amountMinor > maxAmountMinor) throw invalid('amount', 'is too large');
  const valueAtMs = valueAtMsOf(valueDate, nowMs);
  if (valueAtMs === undefined) throw invalid('valueDate', valueDateProblem);
  return {
    applicationId,
    source: 'application',
    sourceId,
    method,
    amountMinor,
    currency,
    valueAtMs,
    target: targetOf(body),
    ...defined({ payer: payer && defined(payer) }),
    // An operator acts for the application: the timeline names the application for both.
    by: 'application',
  };
}

function targetOf({ reference = '', invoiceId, subscriptionId }: ReportedPayment): PaymentTarget {
  if (invoiceId !== undefined) return { invoiceId };
  if (subscriptionId !== undefined) return { subscriptionId };
  return { reference: parseReference(reference) ?? reference };
}

const invalid = (field: string, problem: string) =>
  new ApiError('invalid_request', { details: { [field]: problem } });
