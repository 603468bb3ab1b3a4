import * as z from 'zod/mini';
import { Ended, History, HistoryQuery } from '../../operator/audit/schemas.ts';
import { defineRoute, operatorRoute } from '../../shared/contract/route.ts';
import { EmailAddress } from '../../shared/fields/email-address.ts';
import { seenRevision } from '../../shared/fields/revision.ts';
import { lineField, linesField, notBlank } from '../../shared/fields/text.ts';
import { UserId } from '../../shared/fields/user-id.ts';
import { nextCursor, operatorListRoute, pageFields, periodFields } from '../../shared/lists/requests.ts';
import { OneSocialAccount, OneUser, status, UpsertSocialAccountRequest, UserPath } from '../schemas.ts';

const UpsertUserRequest = z.object({
  email: EmailAddress.check(z.meta({ description: 'Unique among users.', examples: ['ann@example.com'] })),
  name: lineField(200).check(notBlank),
  status,
  verified: z
    .boolean()
    .check(z.meta({ description: 'Links may be submitted for users who are active and verified.' })),
  revision: seenRevision,
});

export const upsertRoute = defineRoute({
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
  ...operatorRoute('support', 'conflict'),
  params: UserPath,
  body: UpsertUserRequest,
  response: OneUser,
  grants: {
    table: {
      USER: ['GetItem', 'UpdateItem'],
      ADDRESS: ['GetItem', 'PutItem', 'DeleteItem'],
      GRANT: ['GetItem', 'Query', 'UpdateItem'],
      EVENT: ['PutItem'],
    },
  },
});

export const readRoute = defineRoute({
  method: 'GET',
  path: '/api/operator/users/{userId}',
  summary: 'Retrieves a user.',
  ...operatorRoute('support', 'not_found'),
  params: UserPath,
  response: OneUser,
  grants: { table: { USER: ['GetItem'] } },
});

const UserList = z.object({ users: z.array(OneUser.shape.user), nextCursor });

export const listRoute = defineRoute({
  ...operatorListRoute,
  path: '/api/operator/users',
  summary: 'Lists the users whom an operator entered, newest first.',
  description: `\
A new user shows in the list within moments, and keeps their place when they change. No user is on two pages. Users who only
verified a device are not listed: the search finds them by their address.`,
  operatorScope: 'support',
  query: z.object({ ...periodFields('the creation', 'UTC'), ...pageFields }),
  response: UserList,
  grants: { table: { USER: ['BatchGetItem'] }, indexes: { listed: ['DIRECTORY'] } },
});

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

export const resetRoute = defineRoute({
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
  ...operatorRoute('support', 'not_found', 'conflict'),
  params: UserPath,
  body: ResetUserRequest,
  response: ResetUser,
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

export const historyRoute = defineRoute({
  method: 'GET',
  path: '/api/operator/users/{userId}/history',
  operationId: 'listUserHistory',
  summary:
    'Lists the changes of a user that operators made, and the grants that the user withdrew, the latest first.',
  ...operatorRoute('support', 'not_found'),
  params: UserPath,
  query: HistoryQuery,
  response: History,
  grants: { table: { USER: ['GetItem'], AUDIT: ['Query'] } },
});

const SentEnrolmentLink = z.object({
  email: z.string().check(z.meta({ description: 'The address that the link was mailed to.' })),
  expiresAt: z.iso.datetime(),
});

export const enrolmentLinkSendRoute = defineRoute({
  method: 'POST',
  path: '/api/operator/users/{userId}/enrolment-link',
  words: { title: 'Mail an enrolment link', notice: 'The link is mailed to the user.' },
  summary: 'Mails a user a link by which they get sign-in codes whatever strangers do.',
  description: [
    'Strangers can use up the codes that a mailbox gets in an hour. Codes that are asked for with the link are counted apart,',
    'and strangers can neither replace nor void them. The first sign-in, or the first device that is verified, spends the link.',
    'It expires after seven days. It signs nobody in by itself.',
    '',
    'A repeated request mails another link. Each works once.',
  ].join('\n'),
  ...operatorRoute('support', 'not_found', 'conflict'),
  params: UserPath,
  response: SentEnrolmentLink,
  grants: { table: { USER: ['GetItem'], MAILBOX: ['PutItem'] }, uses: ['mail'] },
});

/** The platform is part of a key that `#` separates: with a `#` in it, two accounts could share a key. */
const platform = lineField(50).check(
  notBlank,
  z.refine((text) => !text.includes('#'), 'must hold no #'),
  z.meta({ description: 'Compared regardless of case.', examples: ['YouTube'] }),
);

const SocialAccountPath = z.object({ userId: UserId, platform });

export const socialAccountUpsertRoute = defineRoute({
  method: 'PUT',
  path: '/api/operator/users/{userId}/social-accounts/{platform}',
  words: { title: 'Set a social account', notice: 'The social account is saved.' },
  summary: "Creates or replaces a user's account on a platform.",
  description: [
    'Platform and username identify an account. When an account becomes the primary one of its platform,',
    'the former primary account becomes secondary.',
  ].join('\n'),
  ...operatorRoute('support', 'not_found', 'conflict'),
  params: SocialAccountPath,
  body: UpsertSocialAccountRequest,
  response: OneSocialAccount,
  grants: { table: { USER: ['Query', 'PutItem', 'UpdateItem'] } },
});
