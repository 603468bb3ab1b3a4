import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { nextCursorField } from '../../shared/fields/page.ts';
import { indexes, listRoute, pagesDescription } from '../../shared/lists/list-route.ts';
import {
  externalIdField,
  pageFields,
  periodFields,
  planIdField,
  statusField,
} from '../../shared/lists/requests.ts';
import { statuses } from '../record/subscription.ts';
import { SubscriptionSchema } from '../schemas.ts';

const SubscriptionList = z.object({
  subscriptions: z.array(SubscriptionSchema),
  nextCursor: nextCursorField(),
});

const SubscriptionListQuery = z.object({
  externalId: externalIdField('Your id of the client: only the subscriptions of this client.'),
  referenceNumber: z.optional(
    z
      .string()
      .check(
        z.maxLength(40),
        z.meta({ description: 'As typed by the subscriber: case, spaces and dashes are ignored.' }),
      ),
  ),
  status: statusField(statuses),
  planId: planIdField,
  ...periodFields('the creation'),
  ...pageFields,
});

export const route = defineRoute({
  ...listRoute,
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
  query: SubscriptionListQuery,
  response: SubscriptionList,
  grants: {
    table: {
      APP: ['GetItem'],
      CLIENT: ['GetItem', 'BatchGetItem', 'Query'],
      REFERENCE: ['GetItem'],
    },
    indexes,
  },
});
