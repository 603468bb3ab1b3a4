import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { unlimitedErrors } from '../../shared/contract/route-parts.ts';
import { revocationSeconds } from '../../shared/contract/secret.ts';
import { described } from '../../shared/fields/described.ts';
import { UserId } from '../../shared/fields/user-id.ts';

const GrantPath = z.object({
  userId: UserId,
  id: z.string().check(z.minLength(1), z.maxLength(128), described('The `id` of the grant.')),
});

const RevokedGrant = z.object({ success: z.literal(true) });

export const route = defineRoute({
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
  auth: 'operator',
  operatorScope: 'support',
  params: GrantPath,
  response: RevokedGrant,
  errors: { ...unlimitedErrors, also: ['invalid_token', 'not_found', 'conflict'] },
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
