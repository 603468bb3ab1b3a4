import { createHash } from 'node:crypto';
import { dueMinor } from '../../invoices/due.ts';
import type { Invoice } from '../../invoices/invoice.ts';
import { defined } from '../../shared/contract/defined.ts';
import { dayMs, hourMs, minuteMs } from '../../shared/runtime/clock.ts';
import type { checkoutStore, PayableInvoice } from '../checkout/store.ts';
import { toStripeAmount } from './amount.ts';
import { type CheckoutSessions, type NewSession, type Session, StripeRefusal } from './sessions.ts';

/** Tolerance for the difference of Stripe's clock. */
const marginMs = minuteMs;

export type Checkout =
  | { state: 'open'; url: string }
  | { state: 'under_way' }
  /** The invoice was paid or closed in the meantime. */
  | { state: 'closed' };

/**
 * The open checkout of an invoice: the existing one, or a new one.
 *
 * A subscription that has no return URLs began with a trial, or while the application had no gateway. After the payment, Stripe
 * returns to the page of the invoice, which says that it is paid, and shows no way back before: the page would lead to Stripe again.
 *
 * @param deps.returnTo the page of the invoice.
 * @throws StripeRefusal, StripeUnreachable
 */
export async function openCheckout(
  { invoice, subscription }: PayableInvoice,
  deps: { sessions: CheckoutSessions; store: typeof checkoutStore; returnTo: string; nowMs: number },
): Promise<Checkout> {
  const { sessions, store, returnTo, nowMs } = deps;
  const existing = await existingCheckout(invoice, sessions);
  if (existing !== undefined) return existing;

  const { successUrl = returnTo, cancelUrl, paymentDeadlineMs } = subscription;
  const returns = { success_url: successUrl, ...defined({ cancel_url: cancelUrl }) };
  const params = newSession(invoice, returns, expiry(paymentDeadlineMs, nowMs));
  const created = await sessions.create(params, idempotencyKey(invoice, params));
  const current = await store.saveCheckoutId(invoice, created.id);
  if (current?.status === 'open' && current.checkoutId === created.id) return toCheckout(created);
  // Another checkout was saved, or the invoice is closed. Two open checkouts could both be paid.
  await sessions.expire(created.id);
  if (current?.status !== 'open') return { state: 'closed' };
  return (await existingCheckout(current, sessions)) ?? { state: 'closed' };
}

async function existingCheckout(invoice: Invoice, sessions: CheckoutSessions): Promise<Checkout | undefined> {
  const { checkoutId, reversed, paymentId } = invoice;
  if (checkoutId === undefined) return undefined;
  const session = await sessions.find(checkoutId);
  if (session === undefined || session.state === 'over') return undefined;
  // A reversed payment needs a new checkout.
  const isReversed = reversed && session.state === 'under_way' && session.paymentId === paymentId;
  return isReversed ? undefined : toCheckout(session);
}

function toCheckout(session: Session): Checkout {
  if (session.state === 'open') return { state: 'open', url: session.url };
  return { state: session.state === 'over' ? 'closed' : 'under_way' };
}

/** @throws StripeRefusal when Stripe does not accept this amount. */
function newSession(
  invoice: Invoice,
  returns: Pick<NewSession, 'success_url' | 'cancel_url'>,
  expiresAtMs: number,
): NewSession {
  const { applicationId, subscriptionId, invoiceId, currency, number, plan, customer } = invoice;
  const unitAmount = toStripeAmount(dueMinor(invoice), currency);
  if (unitAmount === undefined) throw new StripeRefusal('an amount that Stripe does not accept');
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
    ...returns,
    expires_at: expiresAtMs / 1_000,
  };
}

/**
 * When a new checkout expires, in epoch milliseconds, a whole second: at the payment deadline of the subscription, within
 * Stripe's limits of 30 minutes to 24 hours. Rounded, so that two visits shortly after each other request the same
 * checkout.
 */
export function expiry(paymentDeadlineMs: number | undefined, nowMs: number): number {
  const latestMs = Math.floor((nowMs + dayMs - marginMs) / hourMs) * hourMs;
  const wantedMs = Math.floor(Math.min(paymentDeadlineMs ?? latestMs, latestMs) / 1_000) * 1_000;
  const earliestMs = nowMs + 30 * minuteMs + marginMs;
  return wantedMs >= earliestMs ? wantedMs : Math.ceil(earliestMs / (5 * minuteMs)) * 5 * minuteMs;
}

/**
 * The same key for concurrent requests of the same checkout, and a new key once that checkout is over: Stripe returns the
 * old one under its key for at least a day. https://docs.stripe.com/api/idempotent_requests
 */
function idempotencyKey({ invoiceId, checkoutId = '' }: Invoice, params: NewSession): string {
  const request = createHash('sha256')
    .update(JSON.stringify([checkoutId, params]))
    .digest('base64url');
  return `checkout_${invoiceId}_${request}`;
}
