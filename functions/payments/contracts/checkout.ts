import * as z from 'zod/mini';
import { formRoute } from '../../shared/contract/form-route.ts';
import { htmlType, page, pageHeaders, redirect } from '../../shared/contract/headers.ts';
import { defineRoute, unlimitedErrors } from '../../shared/contract/route.ts';
import { AcceptHeaders } from '../../shared/lambda/content-negotiation.ts';
import { CheckoutPath } from '../checkout/checkout-path.ts';
import { checkoutTable, gatewayPaymentTable, sandboxPaymentTable } from '../grants.ts';

export const checkoutShowRoute = defineRoute({
  method: 'GET',
  path: '/checkout/{token}',
  isUnsafe: true,
  summary: 'Shows the payment page of an invoice, or redirects to Stripe.',
  description: [
    'For browsers.',
    'The URL is the `checkoutUrl` of the subscription.',
    'Every mail about an open invoice contains it, and it does not change.',
    'The invoice is paid through the gateway that the application has when the link is opened.',
  ].join(' '),
  auth: 'none',
  params: CheckoutPath,
  headers: AcceptHeaders,
  response: z.string(),
  responseHeaders: pageHeaders,
  produces: htmlType,
  otherResponses: [
    redirect('The invoice is paid at Stripe: redirects to a Checkout Session.'),
    page(
      409,
      'The application has no gateway now, or one that the deployment does not have. The page says so.',
    ),
    page(422, 'Stripe does not accept the amount or the currency. The page says whom to ask.'),
    page(503, 'Stripe does not respond, or the application has no valid keys for it.', 'retry-after'),
  ],
  errorPages: true,
  errors: {
    invalid: 'not_found',
    failed: 'server_error',
    also: ['not_found', 'conflict', 'checkout_unavailable'],
  },
  grants: { table: checkoutTable, uses: ['deploymentKey', 'stripe', 'sandboxGateway'] },
});

const CheckoutAction = z.object({ action: z.enum(['pay', 'decline', 'cancel', 'reverse']) });

export const checkoutSubmitRoute = defineRoute({
  ...formRoute,
  path: '/checkout/{token}',
  summary:
    'Submits the payment page of the sandbox: pay, have the payment declined, cancel, or reverse the payment.',
  description: 'It pays nothing unless the sandbox is the gateway of the application at that moment.',
  params: CheckoutPath,
  body: CheckoutAction,
  otherResponses: [
    page(402, 'The sandbox declined the payment, as asked. The page says so, and the invoice stays payable.'),
    page(
      409,
      'The invoice cannot be paid, or not any more, or the sandbox is not the gateway any more. The page says why.',
    ),
  ],
  errors: { ...unlimitedErrors, also: ['not_found', 'conflict'] },
  grants: { table: sandboxPaymentTable, uses: ['timers', 'deploymentKey', 'sandboxGateway'] },
});

const WebhookPath = z.object({ applicationId: z.string().check(z.minLength(1), z.maxLength(128)) });

const RawBody = z.object({ raw: z.string() });

const StripeHeaders = z.object({ 'stripe-signature': z.optional(z.string()) });

const Received = z.object({ received: z.literal(true) });

export const stripeWebhookRoute = defineRoute({
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
