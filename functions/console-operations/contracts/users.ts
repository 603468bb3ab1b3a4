import { submitRoute } from '../../console/contracts/operations.ts';
import { grantRevokeRoute } from '../../users/contracts/grants.ts';
import {
  enrolmentLinkSendRoute,
  resetRoute,
  socialAccountUpsertRoute,
  upsertRoute,
} from '../../users/contracts/users.ts';

export const commands = {
  upsert: upsertRoute,
  reset: resetRoute,
  'grant-revoke': grantRevokeRoute,
  'enrolment-link-send': enrolmentLinkSendRoute,
  'social-account-upsert': socialAccountUpsertRoute,
};

export const route = submitRoute(
  'users',
  commands,
  'users, their social accounts and the access that they granted',
);
