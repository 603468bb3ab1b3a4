import type { Routes } from '../shared/contract/route.ts';
import { route as actionList } from './contracts/action-list.ts';
import { route as auditList } from './contracts/audit-list.ts';
import { route as mailGiveUp } from './contracts/mail-give-up.ts';
import { route as mailList } from './contracts/mail-list.ts';
import { route as mailRedrive } from './contracts/mail-redrive.ts';
import { route as mailRedriveAll } from './contracts/mail-redrive-all.ts';
import { route as operatorKeyCreate } from './contracts/operator-key-create.ts';
import { route as operatorKeyList } from './contracts/operator-key-list.ts';
import { route as operatorKeyRevoke } from './contracts/operator-key-revoke.ts';
import { route as search } from './contracts/search.ts';
import { route as subscriptionMailList } from './contracts/subscription-mail-list.ts';

export const routes = {
  'operator-key-create': operatorKeyCreate,
  'operator-key-list': operatorKeyList,
  'operator-key-revoke': operatorKeyRevoke,
  'action-list': actionList,
  'audit-list': auditList,
  'mail-list': mailList,
  'mail-give-up': mailGiveUp,
  'mail-redrive': mailRedrive,
  'mail-redrive-all': mailRedriveAll,
  'subscription-mail-list': subscriptionMailList,
  search,
} satisfies Routes;
