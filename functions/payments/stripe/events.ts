/** The events of Stripe that report payments and reversals. https://docs.stripe.com/api/events/types */
import type { Stripe } from 'stripe';
import type { Claim } from '../../ledger/claims.ts';
import { defined } from '../../shared/contract/defined.ts';
import { secondMs } from '../../shared/runtime/duration.ts';
import type { ClaimEvent } from '../settle/claims.ts';
import type { PaymentEvent } from '../settle/gateway-reports.ts';
import { fromStripeAmount } from './amount.ts';

export type StripePaymentEvent =
  | { kind: 'paid' | 'processing' | 'failed'; event: PaymentEvent }
  | { kind: 'claim'; event: ClaimEvent };

/**
 * The payment, reversal or reinstatement that an event reports; undefined when it reports none, or none of this
 * application.
 *
 * A dispute is reported by `charge.dispute.created` and by `funds_withdrawn`, its end by `closed` and, where money comes
 * back, by `funds_reinstated`. Only the status `won` returns the payment: of a partially refunded payment a part comes
 * back although the dispute is lost. https://docs.stripe.com/disputes#disputes-on-partially-refunded-payments
 */
export function paymentEventOf(event: Stripe.Event, applicationId: string): StripePaymentEvent | undefined {
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
      return paid(event, event.data.object, applicationId);
    case 'checkout.session.async_payment_failed':
      return failed(event, event.data.object, applicationId);
    case 'charge.dispute.created':
    case 'charge.dispute.funds_withdrawn': {
      const { id, status, payment_intent, amount, currency } = event.data.object;
      // An inquiry of the bank: no money has moved. A withdrawal comes with an event of its own.
      if (status.startsWith('warning_')) return undefined;
      const amountMinor = fromStripeAmount(amount, currency.toUpperCase());
      return claimOf(event, applicationId, payment_intent, { claim: 'dispute', id, amountMinor });
    }
    case 'charge.dispute.closed':
    case 'charge.dispute.funds_reinstated': {
      const { id, status, payment_intent } = event.data.object;
      if (status !== 'won') return undefined;
      return claimOf(event, applicationId, payment_intent, { claim: 'dispute_won', id });
    }
    case 'charge.refunded': {
      const { metadata } = event.data.object;
      if (metadata.applicationId !== applicationId) return undefined;
      return refund(event, event.data.object, applicationId);
    }
    case 'refund.failed': {
      const { id, amount, currency, payment_intent } = event.data.object;
      const amountMinor = fromStripeAmount(amount, currency.toUpperCase());
      return claimOf(event, applicationId, payment_intent, { claim: 'refund_failed', id, amountMinor });
    }
    default:
      return undefined;
  }
}

/**
 * The payment of a completed session. `unpaid`: a direct debit is under way, and a further event reports its end.
 * https://docs.stripe.com/payments/checkout/fulfill-orders#delayed-notification
 */
function paid(
  event: Stripe.Event,
  session: Stripe.Checkout.Session,
  applicationId: string,
): StripePaymentEvent | undefined {
  const payment = paymentOf(event, session, applicationId);
  const kind = session.payment_status === 'unpaid' ? 'processing' : 'paid';
  return payment && { kind, event: payment };
}

function failed(
  event: Stripe.Event,
  session: Stripe.Checkout.Session,
  applicationId: string,
): StripePaymentEvent | undefined {
  const payment = paymentOf(event, session, applicationId);
  return payment && { kind: 'failed', event: payment };
}

/** Other systems may open sessions in the same account: those have no ids of this application in their metadata. */
function paymentOf(
  { id: eventId, created }: Stripe.Event,
  { id, metadata, payment_status, payment_intent, amount_total, currency: code }: Stripe.Checkout.Session,
  applicationId: string,
): PaymentEvent | undefined {
  const invoiceId = metadata?.invoiceId;
  if (metadata?.applicationId !== applicationId || !invoiceId) return undefined;
  if (amount_total === null || code === null) return undefined;
  const currency = code.toUpperCase();
  return {
    applicationId,
    invoiceId,
    eventId,
    currency,
    // A session of amount 0 has no payment.
    paymentId: idOf(payment_intent) ?? id,
    amountMinor: fromStripeAmount(amount_total, currency),
    method: payment_status === 'unpaid' ? 'direct_debit' : 'card',
    ...defined({ atMs: created ? created * secondMs : undefined }),
  };
}

/** `amount_refunded` is what was refunded of the charge in all. https://docs.stripe.com/api/charges/object */
function refund(
  event: Stripe.Event,
  { refunded, amount_refunded, currency, payment_intent }: Stripe.Charge,
  applicationId: string,
): StripePaymentEvent | undefined {
  if (!refunded && !amount_refunded) return undefined;
  const totalMinor = refunded ? undefined : fromStripeAmount(amount_refunded, currency.toUpperCase());
  return claimOf(event, applicationId, payment_intent, { claim: 'refund', totalMinor });
}

type WithoutTime<C> = C extends Claim ? Omit<C, 'atMs'> : never;

function claimOf(
  { id: eventId, created }: Stripe.Event,
  applicationId: string,
  intent: string | { id: string } | null,
  claim: WithoutTime<Claim>,
): StripePaymentEvent | undefined {
  const paymentId = idOf(intent);
  if (paymentId === undefined) return undefined;
  return {
    kind: 'claim',
    event: { applicationId, paymentId, eventId, claim: { ...claim, atMs: created * secondMs } },
  };
}

function idOf(object: string | { id: string } | null): string | undefined {
  return typeof object === 'string' ? object : object?.id;
}
