import type { Routes } from '../shared/contract/route.ts';
import { route as enrolmentLinkSend } from './contracts/enrolment-link-send.ts';
import { route as grantList } from './contracts/grant-list.ts';
import { route as grantRevoke } from './contracts/grant-revoke.ts';
import { route as history } from './contracts/history.ts';
import { route as list } from './contracts/list.ts';
import { route as read } from './contracts/read.ts';
import { route as reset } from './contracts/reset.ts';
import { route as socialAccountUpsert } from './contracts/social-account-upsert.ts';
import { route as upsert } from './contracts/upsert.ts';

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
