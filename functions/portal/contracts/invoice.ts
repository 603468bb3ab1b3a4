import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { AcceptHeaders } from '../../shared/lambda/content-negotiation.ts';
import { BillingPath } from './billing-path.ts';

export const route = defineRoute({
  method: 'GET',
  path: '/billing/{token}/invoices/{invoiceId}',
  operationId: 'downloadBillingInvoice',
  summary: 'Returns an invoice of the subscription as PDF.',
  description:
    'For browsers: the PDF, as it was mailed, is returned if `Accept` begins with `text/html` or `application/pdf`, and a page with the same content otherwise.',
  auth: 'none',
  params: z.object({
    ...BillingPath.shape,
    invoiceId: z
      .string()
      .check(
        z.minLength(1),
        z.maxLength(128),
        z.meta({ description: 'The id of an invoice of the subscription.' }),
      ),
  }),
  headers: AcceptHeaders,
  response: z.string(),
  responseHeaders: ['vary', 'content-disposition', 'repr-digest', 'referrer-policy'],
  produces: 'application/pdf',
  otherResponses: [
    {
      status: 200,
      description: 'The invoice as a page, for callers to whom API Gateway cannot return bytes.',
      mediaType: 'text/html',
      headers: [
        'vary',
        'content-disposition',
        'content-security-policy',
        'x-frame-options',
        'referrer-policy',
      ],
    },
  ],
  errorPages: true,
  errors: { invalid: 'not_found', failed: 'server_error', also: ['not_found'] },
  grants: {
    table: {
      INVOICE: ['GetItem'],
      SUBSCRIPTION: ['GetItem', 'Query'],
      DOCUMENT: ['GetItem'],
      CLIENT: ['BatchGetItem'],
      APP: ['GetItem'],
    },
    uses: ['deploymentKey'],
    files: ['invoice-fonts.bin'],
  },
});
