import type { Routes } from '../shared/contract/route.ts';
import { grantListRoute as grantList, grantRevokeRoute as grantRevoke } from './contracts/grants.ts';
import {
  enrolmentLinkSendRoute as enrolmentLinkSend,
  historyRoute as history,
  listRoute as list,
  readRoute as read,
  resetRoute as reset,
  socialAccountUpsertRoute as socialAccountUpsert,
  upsertRoute as upsert,
} from './contracts/users.ts';

export const routes = {
  upsert,
  read,
  list,
  reset,
  history,
  'enrolment-link-send': enrolmentLinkSend,
  'social-account-upsert': socialAccountUpsert,
  'grant-list': grantList,
  'grant-revoke': grantRevoke,
} satisfies Routes;
