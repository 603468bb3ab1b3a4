import type { Routes } from '../shared/contract/route.ts';
import * as grants from './contracts/grants.ts';
import * as users from './contracts/users.ts';

export const routes = {
  upsert: users.upsertRoute,
  read: users.readRoute,
  list: users.listRoute,
  reset: users.resetRoute,
  history: users.historyRoute,
  'enrolment-link-send': users.enrolmentLinkSendRoute,
  'social-account-upsert': users.socialAccountUpsertRoute,
  'grant-list': grants.grantListRoute,
  'grant-revoke': grants.grantRevokeRoute,
} satisfies Routes;
