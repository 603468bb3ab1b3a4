import * as z from 'zod/mini';
import { defineRoute, operatorRoute } from '../../shared/contract/route.ts';
import { revocationSeconds } from '../../shared/contract/secret.ts';
import { described } from '../../shared/fields/described.ts';
import { cursorField, limitField, nextCursorField } from '../../shared/fields/page.ts';
import { UserId } from '../../shared/fields/user-id.ts';
import { UserPath } from '../schemas.ts';

/** The largest page of the list. One batch reads up to 100 applications. */
const maxPage = 100;

const GrantListQuery = z.object({
  limit: limitField(maxPage, 'The maximum number of grants; 50 by default.'),
  cursor: cursorField,
});

export const UserGrant = z.object({
  id: z.string(),
  applicationId: z.string(),
  applicationName: z.string(),
  scopes: z.array(z.string()),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso
    .datetime()
    .check(
      described('When tokens were last issued: at the consent, or at the last use of the refresh token.'),
    ),
});

const UserGrants = z.object({
  grants: z.array(UserGrant),
  nextCursor: nextCursorField('Present when there are more. Pass it as `cursor` to get the next page.'),
});

export const grantListRoute = defineRoute({
  method: 'GET',
  path: '/api/operator/users/{userId}/grants',
  summary: 'Lists the applications to which a user granted access, the newest grant first.',
  description: [
    'A grant is one consent of the user, with all tokens that were issued from it. Grants that were revoked, have expired',
    'or have ended with the keys of the application or the credentials of the user are not listed, so a page can have',
    'fewer than `limit`.',
  ].join('\n'),
  ...operatorRoute('support', 'not_found'),
  params: UserPath,
  query: GrantListQuery,
  response: UserGrants,
  grants: { table: { GRANT: ['Query'], USER: ['GetItem'], APP: ['BatchGetItem'] } },
});

const GrantPath = z.object({
  userId: UserId,
  id: z.string().check(z.minLength(1), z.maxLength(128), described('The `id` of the grant.')),
});

const RevokedGrant = z.object({ success: z.literal(true) });

export const grantRevokeRoute = defineRoute({
  method: 'DELETE',
  path: '/api/operator/users/{userId}/grants/{id}',
  words: {
    title: 'Withdraw the access of an application',
    question: `The tokens of this grant stop working within ${revocationSeconds} seconds. Revoke it?`,
    notice: 'The access is withdrawn.',
  },
  summary: `Revokes a grant of a user. Its tokens stop working within ${revocationSeconds} seconds.`,
  description: [
    'The refresh token stops working at once, and the application gets `consent.withdrawn`. The history of the user records',
    'who did it. A repeated request has the same response.',
  ].join('\n'),
  ...operatorRoute('support', 'not_found', 'conflict'),
  params: GrantPath,
  response: RevokedGrant,
  grants: {
    table: {
      GRANT: ['GetItem', 'PutItem'],
      EVENT: ['PutItem'],
      ACCESSTOKEN: ['DeleteItem'],
      REFRESHTOKEN: ['DeleteItem'],
      USER: ['GetItem', 'UpdateItem'],
    },
  },
});
