import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { commonErrors, refusals, sellerRoute } from '../../shared/contract/route-parts.ts';
import { IdPath } from '../../shared/fields/path-id.ts';
import { AcceptHeaders } from '../../shared/lambda/content-negotiation.ts';
import { mailedDocument, OneCreditNote } from '../schemas.ts';
import { documentResponses } from './document-responses.ts';

export const route = defineRoute({
  method: 'GET',
  path: '/api/v1/credit-notes/{id}',
  alsoAt: '/credit-notes/{id}',
  summary: 'Retrieves a credit note as JSON, HTML or PDF, depending on `Accept`.',
  description:
    'The media type is `application/json` by default. `Accept` can select `text/html` or `application/pdf`.',
  ...sellerRoute,
  params: IdPath,
  headers: AcceptHeaders,
  response: z.object({ ...OneCreditNote.shape, ...mailedDocument }),
  responseHeaders: ['vary'],
  otherResponses: documentResponses,
  errors: { ...commonErrors, also: refusals },
  grants: {
    table: { INVOICE: ['GetItem'], SUBSCRIPTION: ['GetItem'], DOCUMENT: ['GetItem'] },
    files: ['invoice-fonts.bin'],
  },
});
