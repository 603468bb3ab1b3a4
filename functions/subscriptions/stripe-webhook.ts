import { ApiError } from '../shared/contract/errors.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { nowMs } from '../shared/runtime/clock.ts';
import { recordProblem } from '../shared/runtime/log.ts';
import { settlement } from './engine/settlement.ts';
import { routes } from './routes.ts';
import { reportOf } from './stripe/events.ts';
import { stripeKeys } from './stripe/keys.ts';
import { signedEvent } from './stripe/signature.ts';

const webhookDeps = () => ({ stripeKeys, settlement, nowMs });

/**
 * Takes what Stripe reports, which comes at least once and in any order. Whatever was understood is answered with 200,
 * so that it does not come again; what fails is answered with 500, and comes again for three days.
 * https://docs.stripe.com/webhooks#retries
 */
export async function takeEvent(
  { params: { applicationId }, headers, body: { raw } }: Input<(typeof routes)['stripe-webhook']>,
  { stripeKeys, settlement, nowMs }: ReturnType<typeof webhookDeps>,
): Promise<Output<(typeof routes)['stripe-webhook']>> {
  const signature = headers['stripe-signature'];
  const atMs = nowMs();
  // Without a signature there is nothing to look the keys up for.
  const keys = signature === undefined ? undefined : await stripeKeys(applicationId, atMs);
  const event = keys && signedEvent(raw, signature, keys.webhookSecret, atMs);
  if (event === undefined) throw new ApiError('webhook_refused');
  const found = reportOf(event, applicationId);
  if (found?.kind === 'reversed') await settlement.recordReversal(found.report);
  if (found?.kind === 'paid' && (await settlement.recordPayment(found.report)) === 'unknown') {
    recordProblem('Stripe reported the payment of an invoice that there is none of', undefined);
  }
  return { received: true };
}

export const handler = endpoint(routes['stripe-webhook'], takeEvent, webhookDeps);
