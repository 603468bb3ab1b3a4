import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { commonErrors, sellerRoute } from '../../shared/contract/route-parts.ts';
import { described } from '../../shared/fields/described.ts';
import { IdPath } from '../../shared/fields/path-id.ts';

const LinkMailRequest = z.object({
  replace: z.optional(
    z
      .boolean()
      .check(described('Whether earlier links stop working, and a new one is mailed. Default: false.')),
  ),
  version: z.optional(
    z
      .int()
      .check(
        z.gte(0),
        described(
          'With `replace`: the version of the link that you saw. A repeated request replaces that one once; another version is a 409. Default: the present one.',
          0,
        ),
      ),
  ),
});

export const route = defineRoute({
  ...sellerRoute,
  method: 'POST',
  path: '/api/v1/subscriptions/{id}/billing-link/mail',
  words: { title: 'Mail the billing link', notice: 'The link is mailed to the client.' },
  operationId: 'mailBillingLink',
  summary: 'Mails the link to the billing page to the client.',
  description: [
    'The present link is mailed at most once in each clock hour of UTC. With `replace`, the earlier links stop working immediately.',
    'While the setting `billingPage.enabled` is false there is no page, and the request fails with 409.',
  ].join(' '),
  params: IdPath,
  body: LinkMailRequest,
  bodyOptional: true,
  response: z.object({
    mailed: z
      .boolean()
      .check(described('False when the link was already mailed in this clock hour: no other mail is sent.')),
    version: z.int().check(described('The version of the link that is mailed.')),
  }),
  errors: { ...commonErrors, also: ['invalid_token', 'not_found', 'conflict'] },
  grants: {
    table: {
      APP: ['GetItem'],
      CLIENT: ['BatchGetItem'],
      SUBSCRIPTION: ['GetItem', 'PutItem', 'UpdateItem'],
    },
  },
});
