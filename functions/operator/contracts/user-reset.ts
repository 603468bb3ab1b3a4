import { defineRoute } from '../../shared/contract/route.ts';
import { ResetUser, ResetUserRequest, UserPath } from '../users/schemas.ts';
import { errors } from './common.ts';

export const route = defineRoute({
  method: 'POST',
  path: '/api/operator/users/{userId}/reset',
  summary: "Ends a user's devices, the proof of their master password, or their vault.",
  description: [
    'All or nothing, at once. `devices` ends every trusted device, consent session, grant and token, and what lets them get',
    'codes apart from strangers; the proof of the master password stays valid, and the next device needs a mailed code.',
    '`proof` leaves the vault stored: whoever has',
    'a trusted device sets the next proof, so end `devices` too when a stranger may have one. `vault` removes the',
    'ciphertext and its proof for good.',
    '',
    'The applications of the grants get `consent.withdrawn`. Of more than 40 grants, the earlier ones are ended before the',
    'rest. The history of the user records who did it, when and why. A repeat ends what was set up since.',
  ].join('\n'),
  auth: 'operator',
  operatorScope: 'support',
  params: UserPath,
  body: ResetUserRequest,
  response: ResetUser,
  errors: { ...errors, also: ['invalid_token', 'not_found', 'conflict'] },
  grants: {
    table: {
      USER: ['GetItem', 'UpdateItem'],
      PROOF: ['GetItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'],
      VAULT: ['GetItem', 'DeleteItem', 'ConditionCheckItem'],
      MAILBOX: ['UpdateItem'],
      AUDIT: ['PutItem'],
      GRANT: ['GetItem', 'Query', 'UpdateItem'],
      EVENT: ['PutItem'],
    },
  },
});
