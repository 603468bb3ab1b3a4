import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { commonErrors, refusals, sellerRoute } from '../../shared/contract/route-parts.ts';
import { IdPath } from '../../shared/fields/path-id.ts';
import { AcceptHeaders } from '../../shared/lambda/content-negotiation.ts';
import { mailedDocument, OneInvoice } from '../schemas.ts';
import { documentResponses } from './document-responses.ts';

export const route = defineRoute({
  method: 'GET',
  path: '/api/v1/invoices/{id}',
  alsoAt: '/invoices/{id}',
  summary: 'Retrieves an invoice as JSON, HTML or PDF, depending on `Accept`.',
  description:
    'The media type is `application/json` by default. `Accept` can select `text/html` or `application/pdf`. The PDF is the invoice as it was issued: the bytes that were mailed, if a mail had it.',
  ...sellerRoute,
  params: IdPath,
  headers: AcceptHeaders,
  response: z.object({ ...OneInvoice.shape, ...mailedDocument }),
  responseHeaders: ['vary'],
  otherResponses: documentResponses,
  errors: { ...commonErrors, also: refusals },
  grants: {
    table: { INVOICE: ['GetItem'], SUBSCRIPTION: ['GetItem', 'Query'], DOCUMENT: ['GetItem'] },
    files: ['invoice-fonts.bin'],
  },
});
