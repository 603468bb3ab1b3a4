import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { commonErrors } from '../../shared/contract/route-parts.ts';
import { pageFields, UserQuery } from '../api/requests.ts';
import { nextCursor, Status, TrustLink } from '../api/responses.ts';
import { applicationRoute } from './application-route.ts';
import { credentialErrors, userSelection } from './common.ts';

const ListQuery = z.object({
  status: z.optional(Status),
  ...pageFields,
  ...UserQuery.shape,
});

const LinkList = z.object({ trustLinks: z.array(TrustLink), nextCursor });

export const route = defineRoute({
  method: 'GET',
  path: '/api/trust-links',
  ofContract: 'path',
  summary: 'Lists the links that the application submitted for a user, newest first.',
  description: [
    userSelection,
    '',
    'A page contains up to `limit` links, and no more than fit in 4 MB; each quote, backslash and control',
    'character counts with its escape sequences. While there are more, the response has a `nextCursor`.',
    'Links that are added or removed between two pages cause no other link to be repeated or skipped.',
  ].join('\n'),
  ...applicationRoute,
  query: ListQuery,
  response: LinkList,
  errors: { ...commonErrors, also: credentialErrors },
  grants: { table: { LINK: ['Query'] }, indexes: { byStatus: ['LINK'] } },
});
