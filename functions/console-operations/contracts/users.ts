import { submitRoute } from '../../console/contracts/operations.ts';
import { route as enrolmentLinkSend } from '../../users/contracts/enrolment-link-send.ts';
import { route as grantRevoke } from '../../users/contracts/grant-revoke.ts';
import { route as reset } from '../../users/contracts/reset.ts';
import { route as socialAccountUpsert } from '../../users/contracts/social-account-upsert.ts';
import { route as upsert } from '../../users/contracts/upsert.ts';

export const commands = {
  upsert,
  reset,
  'grant-revoke': grantRevoke,
  'enrolment-link-send': enrolmentLinkSend,
  'social-account-upsert': socialAccountUpsert,
};

export const route = submitRoute(
  'users',
  commands,
  'users, their social accounts and the access that they granted',
);
