import * as z from 'zod/mini';
import { Ended } from '../../operator/audit/schemas.ts';
import { defineRoute } from '../../shared/contract/route.ts';
import { unlimitedErrors } from '../../shared/contract/route-parts.ts';
import { linesField } from '../../shared/fields/text.ts';
import { OneUser, UserPath } from '../schemas.ts';

const ends = (what: string) => z.optional(z.boolean().check(z.meta({ description: `Ends ${what}.` })));

const ResetUserRequest = z
  .object({
    devices: ends('every trusted device, session and token of the user'),
    proof: ends(
      'the proof of the master password; the next vault write of a trusted device sets another one',
    ),
    vault: ends('the vault, which is removed for good, with its proof'),
    reason: z.optional(
      linesField(1000).check(z.minLength(1), z.meta({ description: 'Kept in the history of the user.' })),
    ),
  })
  .check(
    z.refine(
      ({ devices, proof, vault }) => [devices, proof, vault].includes(true),
      'must have at least one of devices, proof and vault with the value true',
    ),
  );

const ResetUser = z.object({ user: OneUser.shape.user, reset: Ended });

export const route = defineRoute({
  method: 'POST',
  path: '/api/operator/users/{userId}/reset',
  words: { title: 'Reset the user', notice: 'The user is reset.' },
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
  errors: { ...unlimitedErrors, also: ['invalid_token', 'not_found', 'conflict'] },
  grants: {
    table: {
      USER: ['GetItem', 'UpdateItem'],
      PROOF: ['GetItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'],
      VAULT: ['GetItem', 'DeleteItem', 'ConditionCheckItem'],
      MAILBOX: ['UpdateItem'],
      GRANT: ['GetItem', 'Query', 'UpdateItem'],
      EVENT: ['PutItem'],
    },
  },
});
