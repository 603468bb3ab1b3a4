import { defineRoute } from '../../shared/contract/route.ts';
import { SubscriptionList } from '../api/responses.ts';
import { csvResponse, pagesDescription } from '../lists/contract.ts';
import { ListHeaders } from '../lists/requests.ts';
import { SubscriptionListQuery } from '../lists/subscription-list.ts';
import { applicationRoute, commonErrors } from './common.ts';

export const route = defineRoute({
  method: 'GET',
  path: '/api/v1/subscriptions',
  alsoAt: '/subscriptions',
  summary: 'Lists the subscriptions of the application or of a client, or finds one by its reference number.',
  description: `\
Subscriptions are sorted by creation date, newest first: all of the application, those of the client in \`externalId\`, or
the one with \`referenceNumber\`. These two go with no other filter. A mistyped reference number is rejected as
\`invalid_request\`: its last character is a check character.

A subscription is shown as its own endpoint shows it. \`status\` is the one that is recorded, also while a timer is late.
\`access\` and \`entitled\` are computed from the dates and the client's credit.

${pagesDescription}`,
  ...applicationRoute,
  auth: 'seller',
  operatorScope: 'finance',
  headers: ListHeaders,
  query: SubscriptionListQuery,
  response: SubscriptionList,
  responseHeaders: ['vary'],
  otherResponses: [csvResponse],
  errors: { ...commonErrors, also: ['invalid_token', 'not_found'] },
  grants: {
    table: { CLIENT: ['GetItem', 'BatchGetItem', 'Query'], REFERENCE: ['GetItem'] },
    indexes: { listed: ['LIST'] },
  },
});
