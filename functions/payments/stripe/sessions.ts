/** The part of Stripe's API that is used: Checkout Sessions. https://docs.stripe.com/api/checkout/sessions */
import type { Stripe } from 'stripe';
import { defined } from '../../shared/contract/defined.ts';
import type { StripeKeys } from './keys.ts';

/** Two attempts of at most this duration leave time to respond within a function's 25 seconds. */
const timeoutMs = 4_000;
const maxNetworkRetries = 1;

export type Session =
  | { id: string; state: 'open'; url: string }
  /** The subscriber has paid, and Stripe's event may still be on its way; some payment methods take days. */
  | { id: string; state: 'under_way'; paymentId: string | undefined }
  | { id: string; state: 'over' };

export type NewSession = Stripe.Checkout.SessionCreateParams;

abstract class StripeProblem extends Error {
  readonly statusCode: number | undefined;

  constructor(message: string, statusCode?: number) {
    super(message);
    this.statusCode = statusCode;
  }
}

/** Stripe understood the request and refused it: a retry cannot succeed. */
export class StripeRefusal extends StripeProblem {
  override readonly name = 'StripeRefusal';
}

/** Stripe did not respond, or did not accept the key: a later attempt may succeed. */
class StripeUnreachable extends StripeProblem {
  override readonly name = 'StripeUnreachable';
}

/**
 * The Checkout Sessions of an account.
 *
 * All functions throw {@link StripeRefusal} or {@link StripeUnreachable}. Their messages contain nothing of the request.
 */
export function checkoutSessions(keys: StripeKeys) {
  async function send<T>(request: (sessions: Stripe['checkout']['sessions']) => Promise<T>): Promise<T> {
    // A quarter of a megabyte: loaded with the first call, since most requests make none.
    const { Stripe } = await import('stripe');
    const { checkout } = new Stripe(keys.secretKey, clientOptions(keys));
    try {
      return await request(checkout.sessions);
    } catch (error) {
      throw error instanceof Stripe.errors.StripeError ? problemOf(error) : error;
    }
  }

  /**
   * Retrieves a session; undefined when the account has none with that id, because the keys are now those of
   * another account.
   */
  async function find(id: string): Promise<Session | undefined> {
    try {
      return toSession(await send((sessions) => sessions.retrieve(id, { expand: ['payment_intent'] })));
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  return {
    find,

    /** Creates a session; the same request under the same key returns the first session again. */
    async create(params: NewSession, idempotencyKey: string): Promise<Session> {
      return toSession(await send((sessions) => sessions.create(params, { idempotencyKey })));
    },

    /** Expires a session, so that it can no longer be paid; one that is not open is left unchanged. */
    async expire(id: string): Promise<void> {
      try {
        await send((sessions) => sessions.expire(id));
      } catch (error) {
        if (isMissing(error)) return;
        if (error instanceof StripeRefusal && (await find(id))?.state !== 'open') return;
        throw error;
      }
    },
  };
}

export type CheckoutSessions = ReturnType<typeof checkoutSessions>;

function toSession({ id, status, url, payment_status, payment_intent }: Stripe.Checkout.Session): Session {
  if (status === 'open' && url) return { id, state: 'open', url };
  if (status !== 'complete') return { id, state: 'over' };
  const intent = typeof payment_intent === 'string' ? undefined : payment_intent;
  const paymentId = typeof payment_intent === 'string' ? payment_intent : payment_intent?.id;
  // A payment that fails after the checkout, as direct debits can days later, leaves the session complete and unpaid.
  const isUnderWay = payment_status !== 'unpaid' || intent?.status === 'processing';
  return isUnderWay ? { id, state: 'under_way', paymentId } : { id, state: 'over' };
}

const isMissing = (error: unknown) => error instanceof StripeProblem && error.statusCode === 404;

function problemOf({ type, code, statusCode, requestId }: Stripe.errors.StripeError): Error {
  const words = [type, code, statusCode, requestId].filter((word) => word !== undefined).join(' ');
  const isRefusal = type === 'StripeInvalidRequestError' || type === 'StripeCardError';
  return isRefusal ? new StripeRefusal(words, statusCode) : new StripeUnreachable(words, statusCode);
}

function clientOptions({ apiUrl }: StripeKeys): Stripe.StripeConfig {
  const options = { timeout: timeoutMs, maxNetworkRetries, telemetry: false };
  if (apiUrl === undefined) return options;
  const { protocol, hostname, port } = new URL(apiUrl);
  return {
    ...options,
    protocol: protocol === 'http:' ? 'http' : 'https',
    host: hostname,
    ...defined({ port: port === '' ? undefined : Number(port) }),
  };
}
