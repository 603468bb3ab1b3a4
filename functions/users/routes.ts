import type { Routes } from '../shared/contract/route.ts';
import { grantListRoute, grantRevokeRoute } from './contracts/grants.ts';
import {
  enrolmentLinkSendRoute,
  historyRoute,
  listRoute,
  readRoute,
  resetRoute,
  socialAccountUpsertRoute,
  upsertRoute,
} from './contracts/users.ts';

export const routes = {
  upsert: upsertRoute,
  read: readRoute,
  list: listRoute,
  reset: resetRoute,
  history: historyRoute,
  'enrolment-link-send': enrolmentLinkSendRoute,
  'social-account-upsert': socialAccountUpsertRoute,
  'grant-list': grantListRoute,
  'grant-revoke': grantRevokeRoute,
} satisfies Routes;
