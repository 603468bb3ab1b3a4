/** The events of Stripe that report payments and reversals. https://docs.stripe.com/api/events/types */
import type { Stripe } from 'stripe';
import { secondMs } from '../../shared/runtime/duration.ts';
import type { PaymentEvent, ReversalEvent } from '../engine/settlement.ts';
import { fromStripeAmount } from './amount.ts';

export type StripePaymentEvent =
  | { kind: 'paid'; event: PaymentEvent }
  | { kind: 'reversed' | 'reinstated'; event: ReversalEvent };

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
      return paid(event.id, event.data.object, applicationId);
    case 'charge.dispute.created':
    case 'charge.dispute.funds_withdrawn': {
      const { id, status, payment_intent } = event.data.object;
      // An inquiry of the bank: no money has moved. A withdrawal comes with an event of its own.
      if (status.startsWith('warning_')) return undefined;
      return reversal('reversed', event, { applicationId, cause: id, intent: payment_intent });
    }
    case 'charge.dispute.closed':
    case 'charge.dispute.funds_reinstated': {
      const { id, status, payment_intent } = event.data.object;
      if (status !== 'won') return undefined;
      return reversal('reinstated', event, { applicationId, cause: id, intent: payment_intent });
    }
    case 'charge.refunded': {
      const { refunded, metadata, payment_intent } = event.data.object;
      // `refunded` is false for a partial refund, which is between the seller and the subscriber.
      if (!refunded || metadata.applicationId !== applicationId) return undefined;
      return reversal('reversed', event, { applicationId, cause: 'refund', intent: payment_intent });
    }
    default:
      return undefined;
  }
}

/** Other systems may open sessions in the same account: those have no ids of this application in their metadata. */
function paid(
  eventId: string,
  session: Stripe.Checkout.Session,
  applicationId: string,
): StripePaymentEvent | undefined {
  const { metadata, payment_status, payment_intent, amount_total, currency: code } = session;
  const invoiceId = metadata?.invoiceId;
  if (metadata?.applicationId !== applicationId || !invoiceId) return undefined;
  if (payment_status === 'unpaid' || amount_total === null || code === null) return undefined;
  const currency = code.toUpperCase();
  return {
    kind: 'paid',
    event: {
      applicationId,
      invoiceId,
      eventId,
      currency,
      // A session of amount 0 has no payment.
      paymentId: idOf(payment_intent) ?? session.id,
      amountMinor: fromStripeAmount(amount_total, currency),
    },
  };
}

function reversal(
  kind: 'reversed' | 'reinstated',
  { id: eventId, created }: Stripe.Event,
  {
    applicationId,
    cause,
    intent,
  }: { applicationId: string; cause: string; intent: string | { id: string } | null },
): StripePaymentEvent | undefined {
  const paymentId = idOf(intent);
  return paymentId === undefined
    ? undefined
    : { kind, event: { applicationId, paymentId, eventId, cause, atMs: created * secondMs } };
}

function idOf(object: string | { id: string } | null): string | undefined {
  return typeof object === 'string' ? object : object?.id;
}
