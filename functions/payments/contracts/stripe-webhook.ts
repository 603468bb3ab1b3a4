import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { gatewayPaymentTable } from '../grants.ts';

const WebhookPath = z.object({ applicationId: z.string().check(z.minLength(1), z.maxLength(128)) });

const RawBody = z.object({ raw: z.string() });

const StripeHeaders = z.object({ 'stripe-signature': z.optional(z.string()) });

const Received = z.object({ received: z.literal(true) });

export const route = defineRoute({
  method: 'POST',
  path: '/webhooks/stripe/{applicationId}',
  operationId: 'receiveStripeEvent',
  summary: 'Receives events from Stripe: payments, reversals, and disputes that are won.',
  description: [
    'Register this URL as a webhook endpoint in Stripe.',
    'Events may be delivered more than once and in any order; each takes effect once.',
    'A payment that cannot be applied is recorded on the timeline as `unapplied`.',
  ].join(' '),
  auth: 'none',
  params: WebhookPath,
  headers: StripeHeaders,
  body: RawBody,
  bodyType: 'raw',
  maxBodyBytes: 512 * 1024,
  response: Received,
  errors: { invalid: 'webhook_refused', failed: 'server_error', also: ['conflict'] },
  grants: { table: gatewayPaymentTable, uses: ['timers', 'stripe'] },
});
