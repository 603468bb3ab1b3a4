import { operationsEndpoint } from '../console/operations/perform.ts';
import { sendEnrolmentLink } from '../users/enrolment-link-send.ts';
import { revokeGrant } from '../users/grant-revoke.ts';
import { resetUser } from '../users/reset.ts';
import { upsertSocialAccount } from '../users/social-account-upsert.ts';
import { upsertUser } from '../users/upsert.ts';
import { commands, route } from './contracts/users.ts';

export const handler = operationsEndpoint(route, commands, {
  upsert: upsertUser,
  reset: resetUser,
  'grant-revoke': revokeGrant,
  'enrolment-link-send': sendEnrolmentLink,
  'social-account-upsert': upsertSocialAccount,
});
