import { defineRoute } from '../../shared/contract/route.ts';
import { AcceptHeaders, SubscriptionPath } from '../../subscriptions/api/page-requests.ts';
import { OneCreditNote } from '../../subscriptions/api/responses.ts';
import { applicationRoute, commonErrors, documentResponses } from '../../subscriptions/contracts/common.ts';

export const route = defineRoute({
  method: 'GET',
  path: '/api/v1/credit-notes/{id}',
  alsoAt: '/credit-notes/{id}',
  summary: 'Retrieves a credit note as JSON, HTML or PDF, depending on `Accept`.',
  description:
    'The media type is `application/json` by default. `Accept` can select `text/html` or `application/pdf`.',
  ...applicationRoute,
  params: SubscriptionPath,
  headers: AcceptHeaders,
  response: OneCreditNote,
  responseHeaders: ['vary'],
  otherResponses: documentResponses,
  errors: { ...commonErrors, also: ['invalid_token', 'not_found'] },
  grants: {
    table: { INVOICE: ['GetItem'], SUBSCRIPTION: ['GetItem', 'Query'] },
    files: ['invoice-fonts.bin'],
  },
});
