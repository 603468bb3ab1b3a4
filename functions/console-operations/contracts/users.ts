import { submitRoute } from '../../console/contracts/operations.ts';
import { grantRevokeRoute as grantRevoke } from '../../users/contracts/grants.ts';
import {
  enrolmentLinkSendRoute as enrolmentLinkSend,
  resetRoute as reset,
  socialAccountUpsertRoute as socialAccountUpsert,
  upsertRoute as upsert,
} from '../../users/contracts/users.ts';

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
