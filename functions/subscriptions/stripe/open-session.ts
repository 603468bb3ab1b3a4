/** The checkout of an invoice at Stripe: one at a time, opened when the subscriber comes to pay. */
import { createHash } from 'node:crypto';
import { dayMs, hourMs, minuteMs } from '../../shared/runtime/duration.ts';
import type { checkoutStore, PayableInvoice } from '../checkout/store.ts';
import type { Invoice } from '../invoices/invoice.ts';
import { toStripeAmount } from './amount.ts';
import { type CheckoutSessions, type NewSession, type Session, StripeRefusal } from './sessions.ts';

/** Stripe's clock may be ahead or behind. */
const marginMs = minuteMs;

/** Where the payment of an invoice stands. */
export type Checkout =
  | { state: 'open'; url: string }
  | { state: 'under_way' }
  /** The invoice was paid or closed meanwhile. */
  | { state: 'closed' };

/**
 * The open checkout of an invoice: the one there is, or a new one.
 *
 * @param returnTo where the subscriber goes from Stripe when the subscription does not say.
 * @throws StripeRefusal, StripeUnreachable
 */
export async function openCheckout(
  { invoice, subscription }: PayableInvoice,
  deps: { sessions: CheckoutSessions; store: typeof checkoutStore; returnTo: string; atMs: number },
): Promise<Checkout> {
  const { sessions, store, returnTo, atMs } = deps;
  const known = await earlier(invoice, sessions);
  if (known !== undefined) return known;

  const { successUrl = returnTo, cancelUrl = returnTo, paymentDeadlineMs } = subscription;
  const params = newSession(invoice, { successUrl, cancelUrl, expiresAtMs: expiry(paymentDeadlineMs, atMs) });
  const made = await sessions.create(params, idempotencyKey(invoice, params));
  const now = await store.remember(invoice, made.id);
  if (now?.status === 'open' && now.checkoutId === made.id) return shown(made);
  // Two that can be paid could both be paid.
  await sessions.expire(made.id);
  if (now?.status !== 'open') return { state: 'closed' };
  return (await earlier(now, sessions)) ?? { state: 'closed' };
}

/** The checkout that an invoice has, if it can still lead to a payment. */
async function earlier(invoice: Invoice, sessions: CheckoutSessions): Promise<Checkout | undefined> {
  const { checkoutId, reversed, paymentId } = invoice;
  if (checkoutId === undefined) return undefined;
  const found = await sessions.find(checkoutId);
  if (found === undefined || found.state === 'over') return undefined;
  // Its payment was taken back: there has to be another.
  const isReversed = reversed && found.state === 'under_way' && found.paymentId === paymentId;
  return isReversed ? undefined : shown(found);
}

function shown(session: Session): Checkout {
  if (session.state === 'open') return { state: 'open', url: session.url };
  return { state: session.state === 'over' ? 'closed' : 'under_way' };
}

/** @throws StripeRefusal when Stripe cannot take just this amount. */
function newSession(
  invoice: Invoice,
  {
    successUrl,
    cancelUrl,
    expiresAtMs,
  }: Record<'successUrl' | 'cancelUrl', string> & { expiresAtMs: number },
): NewSession {
  const { applicationId, subscriptionId, invoiceId, totalMinor, currency, number, plan, customer } = invoice;
  const unitAmount = toStripeAmount(totalMinor, currency);
  if (unitAmount === undefined) throw new StripeRefusal('an amount that Stripe does not take');
  const metadata = { applicationId, subscriptionId, invoiceId };
  return {
    mode: 'payment',
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: currency.toLowerCase(),
          unit_amount: unitAmount,
          product_data: { name: plan.name, description: `Invoice ${number}` },
        },
      },
    ],
    customer_email: customer.email,
    client_reference_id: invoiceId,
    metadata,
    payment_intent_data: { metadata },
    success_url: successUrl,
    cancel_url: cancelUrl,
    expires_at: expiresAtMs / 1_000,
  };
}

/**
 * When a new checkout expires, epoch milliseconds, a whole second: with the subscription, but in 30 minutes to 24 hours,
 * as Stripe has it. Rounded, so that who comes twice within a short time asks for the same checkout.
 */
export function expiry(paymentDeadlineMs: number | undefined, atMs: number): number {
  const latestMs = Math.floor((atMs + dayMs - marginMs) / hourMs) * hourMs;
  const wantedMs = Math.floor(Math.min(paymentDeadlineMs ?? latestMs, latestMs) / 1_000) * 1_000;
  const earliestMs = atMs + 30 * minuteMs + marginMs;
  return wantedMs >= earliestMs ? wantedMs : Math.ceil(earliestMs / (5 * minuteMs)) * 5 * minuteMs;
}

/**
 * The same for who asks for the same checkout at once, and another once that one is over: Stripe would answer with the
 * old one for a day or more. https://docs.stripe.com/api/idempotent_requests
 */
function idempotencyKey({ invoiceId, checkoutId = '' }: Invoice, params: NewSession): string {
  const request = createHash('sha256')
    .update(JSON.stringify([checkoutId, params]))
    .digest('base64url');
  return `checkout_${invoiceId}_${request}`;
}
