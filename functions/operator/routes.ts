import type { Routes } from '../shared/contract/route.ts';
import {
  operatorKeyCreateRoute as operatorKeyCreate,
  operatorKeyListRoute as operatorKeyList,
  operatorKeyRevokeRoute as operatorKeyRevoke,
} from './contracts/keys.ts';
import {
  mailGiveUpRoute as mailGiveUp,
  mailListRoute as mailList,
  mailRedriveRoute as mailRedrive,
  mailRedriveAllRoute as mailRedriveAll,
  subscriptionMailListRoute as subscriptionMailList,
} from './contracts/mails.ts';
import {
  actionListRoute as actionList,
  auditListRoute as auditList,
  searchRoute as search,
} from './contracts/records.ts';

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
