import Stripe from 'stripe';

/** How old a signature may be, seconds: Stripe signs each delivery anew. */
const toleranceSeconds = 300;

/**
 * An event that Stripe signed for an endpoint; undefined when the signature is missing, wrong or too old.
 * https://docs.stripe.com/webhooks/signature
 *
 * @param payload the body as it came.
 */
export function signedEvent(
  payload: string,
  signature: string | undefined,
  webhookSecret: string,
  nowMs: number,
): Stripe.Event | undefined {
  try {
    const { webhooks } = Stripe;
    return webhooks.constructEvent(
      ...([payload, signature ?? '', webhookSecret, toleranceSeconds, undefined, nowMs] as const),
    );
  } catch {
    return undefined;
  }
}
