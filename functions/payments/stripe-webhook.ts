import { ApiError, endpoint, type Handler } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import { recordProblem } from '../shared/runtime/log.ts';
import { stripeWebhookRoute } from './contracts/checkout.ts';
import { recordClaim } from './settle/claims.ts';
import { recordFailure, recordPayment, recordProcessing } from './settle/gateway-reports.ts';
import { readEvent } from './stripe/events.ts';
import { stripeKeys } from './stripe/keys.ts';
import { signedEvent } from './stripe/signature.ts';
import { keepUnreadable } from './stripe/unreadable-store.ts';

/**
 * Receives an event of Stripe. Stripe delivers each event at least once and in any order, and retries for three days until
 * the response is a 2xx. The response is 200 to every event that was processed, relevant or not, and 500 to a failure. An event that
 * cannot be read is kept for an operator: a further delivery would be the same.
 * https://docs.stripe.com/webhooks#retries
 */
export const receiveEvent: Handler<typeof stripeWebhookRoute> = async ({
  params: { applicationId },
  headers,
  body: { raw },
}) => {
  const signature = headers['stripe-signature'];
  const nowMs = clock.nowMs();
  // A request without a signature is refused before its keys are looked up.
  const keys = signature === undefined ? undefined : await stripeKeys(applicationId, nowMs);
  const event = keys && signedEvent(raw, signature, keys.webhookSecret, nowMs);
  if (event === undefined) throw new ApiError('webhook_refused');
  const report = readEvent(event, applicationId);
  if (report.kind === 'unreadable') await keepUnreadable(applicationId, { raw, event, nowMs });
  if (report.kind === 'processing') await recordProcessing(report.event);
  if (report.kind === 'failed') await recordFailure(report.event);
  if (report.kind === 'claim') await recordClaim(report.event);
  if (report.kind === 'paid' && (await recordPayment(report.event)) === 'unknown') {
    recordProblem('Stripe reported the payment of an invoice that does not exist', undefined);
  }
  return { received: true };
};

export const handler = endpoint(stripeWebhookRoute, receiveEvent);
