/** Stripe's API as far as it is used: Checkout Sessions. https://docs.stripe.com/api/checkout/sessions */
import Stripe from 'stripe';
import type { StripeKeys } from './keys.ts';

/** Two tries of at most so long each: what is done with an answer fits into a function's 25 seconds. */
const timeoutMs = 4_000;
const maxNetworkRetries = 1;

/** A Checkout Session, by what can be done with it. */
export type Session =
  /** The subscriber can pay there. */
  | { id: string; state: 'open'; url: string }
  /** He has, and Stripe's report may still be on its way; some means of payment take days. */
  | { id: string; state: 'under_way'; paymentId: string | undefined }
  /** Expired, or its payment failed for good. */
  | { id: string; state: 'over' };

export type NewSession = Stripe.Checkout.SessionCreateParams;

/** Stripe understood and said no: to ask again is useless. */
export class StripeRefusal extends Error {
  override readonly name = 'StripeRefusal';
}

/** Stripe could not be asked, or did not know the key: later it may work. */
class StripeUnreachable extends Error {
  override readonly name = 'StripeUnreachable';
}

/**
 * The Checkout Sessions of an account.
 *
 * All throw {@link StripeRefusal} or {@link StripeUnreachable}, whose messages hold nothing of what was sent.
 */
export function checkoutSessions({ secretKey, apiUrl }: StripeKeys) {
  const { checkout } = new Stripe(secretKey, {
    timeout: timeoutMs,
    maxNetworkRetries,
    telemetry: false,
    ...(apiUrl !== undefined && addressed(apiUrl)),
  });

  /** As it is now; undefined when the account has none of that id: its keys belong to another account now. */
  async function find(id: string): Promise<Session | undefined> {
    try {
      return seen(await checkout.sessions.retrieve(id, { expand: ['payment_intent'] }));
    } catch (error) {
      if (statusOf(error) === 404) return undefined;
      throw translated(error);
    }
  }

  return {
    find,

    /** Opens one; the same request under the same key opens none, and gets the first one's answer. */
    async create(params: NewSession, idempotencyKey: string): Promise<Session> {
      try {
        return seen(await checkout.sessions.create(params, { idempotencyKey }));
      } catch (error) {
        throw translated(error);
      }
    },

    /** Closes one, so that nobody can pay there any more; one that is not open is left as it is. */
    async expire(id: string): Promise<void> {
      try {
        await checkout.sessions.expire(id);
      } catch (error) {
        if (statusOf(error) === 404) return;
        const refused = translated(error);
        if (refused instanceof StripeRefusal && (await find(id))?.state !== 'open') return;
        throw refused;
      }
    },
  };
}

export type CheckoutSessions = ReturnType<typeof checkoutSessions>;

function seen({ id, status, url, payment_status, payment_intent }: Stripe.Checkout.Session): Session {
  if (status === 'open' && url) return { id, state: 'open', url };
  if (status !== 'complete') return { id, state: 'over' };
  const intent = typeof payment_intent === 'string' ? undefined : payment_intent;
  const paymentId = typeof payment_intent === 'string' ? payment_intent : payment_intent?.id;
  // A payment that failed after the checkout, as debits can days later, leaves it complete and unpaid.
  const isUnderWay = payment_status !== 'unpaid' || intent?.status === 'processing';
  return isUnderWay ? { id, state: 'under_way', paymentId } : { id, state: 'over' };
}

function statusOf(error: unknown): number | undefined {
  return error instanceof Stripe.errors.StripeError ? error.statusCode : undefined;
}

function translated(error: unknown): Error {
  if (!(error instanceof Stripe.errors.StripeError)) return error as Error;
  const { type, code, statusCode, requestId } = error;
  const words = [type, code, statusCode, requestId].filter((word) => word !== undefined).join(' ');
  const isRefusal = type === 'StripeInvalidRequestError' || type === 'StripeCardError';
  return isRefusal ? new StripeRefusal(words) : new StripeUnreachable(words);
}

function addressed(apiUrl: string): { protocol: 'http' | 'https'; host: string; port?: number } {
  const { protocol, hostname, port } = new URL(apiUrl);
  return {
    protocol: protocol === 'http:' ? 'http' : 'https',
    host: hostname,
    ...(port !== '' && { port: Number(port) }),
  };
}
