import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { described } from '../../shared/fields/described.ts';
import { UserId } from '../../shared/fields/user-id.ts';
import { nextCursor, operatorListRoute } from '../../shared/lists/list-route.ts';
import { pageFields } from '../../shared/lists/requests.ts';
import { Status, TrustLink } from '../api/responses.ts';

const UserLinkListQuery = z.object({
  applicationId: z.string().check(
    z.regex(/^app_[0-9A-Z]{26}$/),
    z.meta({
      description: 'The application that submitted the links.',
      examples: ['app_01M8ABCDEFGHJKMNPQRSTVWXYZ'],
    }),
  ),
  status: z.optional(Status.check(described('Only links with this status.'))),
  ...pageFields,
});

const UserLinkList = z.object({ trustLinks: z.array(TrustLink), nextCursor });

export const route = defineRoute({
  ...operatorListRoute,
  path: '/api/operator/users/{userId}/links',
  summary: 'Lists the links that an application submitted for a user, newest first.',
  description: `\
Each application has links of its own for a user, so that the request names one. A user without links there has an empty list. A review
shows a link with its history. Links that are added or removed between two pages cause no other link to be repeated or skipped.`,
  operatorScope: 'review',
  params: z.object({ userId: UserId }),
  query: UserLinkListQuery,
  response: UserLinkList,
  grants: { table: { LINK: ['Query'] }, indexes: { byStatus: ['LINK'] } },
});
