import type { SellerCaller } from '../../shared/contract/callers.ts';
import { defined } from '../../shared/contract/defined.ts';
import { ApiError } from '../../shared/contract/errors.ts';
import { dayMs } from '../../shared/runtime/duration.ts';
import type { IncomingPayment, PaymentTarget } from '../../subscriptions/engine/payments.ts';
import { parseReference } from '../../subscriptions/lifecycle/reference-number.ts';
import type { PaymentMethod } from '../../subscriptions/payments/payment.ts';
import { isCurrency, maxAmountMinor, toMinor } from '../../subscriptions/plans/money.ts';

/** A payment as a request reports it: the amount is a decimal number, and exactly one of the three targets is there. */
interface ReportedPayment {
  reference?: string | undefined;
  invoiceId?: string | undefined;
  subscriptionId?: string | undefined;
  amount: number;
  currency: string;
  valueDate?: string | undefined;
  method: PaymentMethod;
  payer?: { name?: string | undefined; iban?: string | undefined } | undefined;
}

/** Banks book a payment that they announce under the date of the next day at most. */
const maxAheadMs = dayMs;

/**
 * The payment that a request reports, with its amount in minor units.
 *
 * @param sourceId the id under which the payment is recorded once.
 * @throws ApiError `invalid_request` when the amount has more decimals than the currency or is too large, when the runtime does not know
 * the currency, and for a value date more than a day ahead.
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
  const valueAtMs = valueDate === undefined ? nowMs : Date.parse(valueDate);
  if (valueAtMs > nowMs + maxAheadMs) throw invalid('valueDate', 'must be at most a day ahead');
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

/** What the payment is for. The schema lets exactly one of the three through. */
function targetOf({ reference = '', invoiceId, subscriptionId }: ReportedPayment): PaymentTarget {
  if (invoiceId !== undefined) return { invoiceId };
  if (subscriptionId !== undefined) return { subscriptionId };
  return { reference: parseReference(reference) ?? reference };
}

const invalid = (field: string, problem: string) =>
  new ApiError('invalid_request', { details: { [field]: problem } });
