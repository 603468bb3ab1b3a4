/**
 * Routes of payment pages and payment reports, apart from the others: their functions load the client of Stripe's keys and
 * of the timers, and carry no other contract.
 */
import * as z from 'zod/mini';
import { page, pageHeaders, redirect, redirectHeaders } from '../../shared/contract/other-responses.ts';
import { defineRoutes } from '../../shared/contract/route.ts';
import * as grants from './grants.ts';
import {
  AcceptHeaders,
  CheckoutAction,
  CheckoutPath,
  RawBody,
  StripeHeaders,
  WebhookPath,
} from './page-requests.ts';

const Received = z.object({ received: z.literal(true) });

export const paymentRoutes = defineRoutes({
  'checkout-show': {
    method: 'GET',
    path: '/checkout/{token}',
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
    produces: 'text/html; charset=utf-8',
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
    grants: { table: grants.checkoutTable, uses: ['deploymentKey', 'stripe', 'sandboxGateway'] },
  },
  'checkout-submit': {
    method: 'POST',
    path: '/checkout/{token}',
    summary:
      'Submits the payment page of the sandbox: pay, have the payment declined, cancel, or reverse the payment.',
    description: 'It pays nothing unless the sandbox is the gateway of the application at that moment.',
    auth: 'none',
    params: CheckoutPath,
    body: CheckoutAction,
    bodyType: 'form',
    response: z.string().check(z.maxLength(0)),
    responseHeaders: redirectHeaders,
    produces: 'text/html; charset=utf-8',
    status: 303,
    otherResponses: [
      page(
        402,
        'The sandbox declined the payment, as asked. The page says so, and the invoice stays payable.',
      ),
      page(
        409,
        'The invoice cannot be paid, or not any more, or the sandbox is not the gateway any more. The page says why.',
      ),
    ],
    errorPages: true,
    ownPagesOnly: true,
    errors: { invalid: 'invalid_request', failed: 'server_error', also: ['not_found', 'conflict'] },
    grants: { table: grants.sandboxPaymentTable, uses: ['timers', 'deploymentKey', 'sandboxGateway'] },
  },
  'stripe-webhook': {
    method: 'POST',
    path: '/webhooks/stripe/{applicationId}',
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
    grants: { table: grants.gatewayPaymentTable, uses: ['timers', 'stripe'] },
  },
});
