import * as z from 'zod/mini';
import { htmlType } from '../../shared/contract/headers.ts';
import { page, pageHeaders, redirect } from '../../shared/contract/other-responses.ts';
import { defineRoute } from '../../shared/contract/route.ts';
import { AcceptHeaders } from '../../shared/lambda/content-negotiation.ts';
import { CheckoutPath } from '../checkout/checkout-path.ts';
import { checkoutTable } from '../grants.ts';

export const route = defineRoute({
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
