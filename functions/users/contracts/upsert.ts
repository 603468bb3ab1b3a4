import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { unlimitedErrors } from '../../shared/contract/route-parts.ts';
import { EmailAddress } from '../../shared/fields/email-address.ts';
import { seenRevision } from '../../shared/fields/revision.ts';
import { lineField, notBlank } from '../../shared/fields/text.ts';
import { OneUser, status, UserPath } from '../schemas.ts';

const UpsertUserRequest = z.object({
  email: EmailAddress.check(z.meta({ description: 'Unique among users.', examples: ['ann@example.com'] })),
  name: lineField(200).check(notBlank),
  status,
  verified: z
    .boolean()
    .check(z.meta({ description: 'Links may be submitted for users who are active and verified.' })),
  revision: seenRevision,
});

export const route = defineRoute({
  method: 'PUT',
  path: '/api/operator/users/{userId}',
  words: { title: 'Create or change a user', notice: 'The user is saved.' },
  summary: 'Creates or replaces a user.',
  description: [
    'Returns 409 when another user has the address. A user who has only verified a device has an address',
    'and nothing else: this request completes their profile.',
    '',
    'When the address changes, every device, proof, session, grant and token that the user set up under the former address',
    'ends, and applications get `consent.withdrawn`. Confirming the same address ends nothing. The history of the user records',
    'who created them, and who changed the address, the status, the verification or the name.',
  ].join('\n'),
  auth: 'operator',
  operatorScope: 'support',
  params: UserPath,
  body: UpsertUserRequest,
  response: OneUser,
  errors: { ...unlimitedErrors, also: ['invalid_token', 'conflict'] },
  grants: {
    table: {
      USER: ['GetItem', 'UpdateItem'],
      ADDRESS: ['GetItem', 'PutItem', 'DeleteItem'],
      GRANT: ['GetItem', 'Query', 'UpdateItem'],
      EVENT: ['PutItem'],
    },
  },
});
