import type { Routes } from '../shared/contract/route.ts';
import { route as applicationCreate } from './contracts/application-create.ts';
import { route as applicationRead } from './contracts/application-read.ts';
import { route as applicationUpdate } from './contracts/application-update.ts';
import { route as auditList } from './contracts/audit-list.ts';
import { route as enrolmentLinkSend } from './contracts/enrolment-link-send.ts';
import { route as grantList } from './contracts/grant-list.ts';
import { route as grantRevoke } from './contracts/grant-revoke.ts';
import { route as keyCreate } from './contracts/key-create.ts';
import { route as keyRevoke } from './contracts/key-revoke.ts';
import { route as mailList } from './contracts/mail-list.ts';
import { route as mailRedrive } from './contracts/mail-redrive.ts';
import { route as mailRedriveAll } from './contracts/mail-redrive-all.ts';
import { route as operatorKeyCreate } from './contracts/operator-key-create.ts';
import { route as operatorKeyList } from './contracts/operator-key-list.ts';
import { route as operatorKeyRevoke } from './contracts/operator-key-revoke.ts';
import { route as socialAccountUpsert } from './contracts/social-account-upsert.ts';
import { route as userHistory } from './contracts/user-history.ts';
import { route as userRead } from './contracts/user-read.ts';
import { route as userReset } from './contracts/user-reset.ts';
import { route as userUpsert } from './contracts/user-upsert.ts';

export const routes = {
  'operator-key-create': operatorKeyCreate,
  'operator-key-list': operatorKeyList,
  'operator-key-revoke': operatorKeyRevoke,
  'audit-list': auditList,
  'application-create': applicationCreate,
  'application-read': applicationRead,
  'application-update': applicationUpdate,
  'key-create': keyCreate,
  'key-revoke': keyRevoke,
  'user-upsert': userUpsert,
  'user-read': userRead,
  'user-reset': userReset,
  'user-history': userHistory,
  'enrolment-link-send': enrolmentLinkSend,
  'social-account-upsert': socialAccountUpsert,
  'grant-list': grantList,
  'grant-revoke': grantRevoke,
  'mail-list': mailList,
  'mail-redrive': mailRedrive,
  'mail-redrive-all': mailRedriveAll,
} satisfies Routes;
