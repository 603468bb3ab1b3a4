/** What of Stripe's events counts. https://docs.stripe.com/api/events/types */
import type { Stripe } from 'stripe';
import type { PaymentEvent } from '../engine/settlement.ts';
import { fromStripeAmount } from './amount.ts';

export type StripeReport =
  | { kind: 'paid'; report: PaymentEvent }
  | { kind: 'reversed'; report: { applicationId: string; paymentId: string; eventId: string } };

/** What an event says of a payment to an application; undefined when it is none of its business. */
export function reportOf(event: Stripe.Event, applicationId: string): StripeReport | undefined {
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
      return paid(event.id, event.data.object, applicationId);
    case 'charge.dispute.created':
    case 'charge.dispute.funds_withdrawn': {
      const { status, payment_intent } = event.data.object;
      // A bank's question: the money is still there, and is withdrawn with an event of its own.
      if (status.startsWith('warning_')) return undefined;
      return reversed(event.id, payment_intent, applicationId);
    }
    case 'charge.refunded': {
      const { refunded, metadata, payment_intent } = event.data.object;
      // Not `refunded`: a part was given back, which is between the seller and the subscriber.
      if (!refunded || metadata.applicationId !== applicationId) return undefined;
      return reversed(event.id, payment_intent, applicationId);
    }
    default:
      return undefined;
  }
}

/** Sessions that others opened in the same account carry no ids of ours. */
function paid(
  eventId: string,
  session: Stripe.Checkout.Session,
  applicationId: string,
): StripeReport | undefined {
  const { metadata, payment_status, payment_intent, amount_total, currency: code } = session;
  const invoiceId = metadata?.invoiceId;
  if (metadata?.applicationId !== applicationId || !invoiceId) return undefined;
  if (payment_status === 'unpaid' || amount_total === null || code === null) return undefined;
  const currency = code.toUpperCase();
  return {
    kind: 'paid',
    report: {
      applicationId,
      invoiceId,
      eventId,
      currency,
      // Where nothing was to be paid there is no payment.
      paymentId: idOf(payment_intent) ?? session.id,
      amountMinor: fromStripeAmount(amount_total, currency),
    },
  };
}

function reversed(
  eventId: string,
  intent: string | { id: string } | null,
  applicationId: string,
): StripeReport | undefined {
  const paymentId = idOf(intent);
  return paymentId === undefined
    ? undefined
    : { kind: 'reversed', report: { applicationId, paymentId, eventId } };
}

function idOf(object: string | { id: string } | null): string | undefined {
  return typeof object === 'string' ? object : object?.id;
}
