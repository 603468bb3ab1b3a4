import type { Routes } from '../shared/contract/route.ts';
import * as keys from './contracts/keys.ts';
import * as mails from './contracts/mails.ts';
import * as records from './contracts/records.ts';

export const routes = {
  'operator-key-create': keys.operatorKeyCreateRoute,
  'operator-key-list': keys.operatorKeyListRoute,
  'operator-key-revoke': keys.operatorKeyRevokeRoute,
  'action-list': records.actionListRoute,
  'audit-list': records.auditListRoute,
  'mail-list': mails.mailListRoute,
  'mail-give-up': mails.mailGiveUpRoute,
  'mail-redrive': mails.mailRedriveRoute,
  'mail-redrive-all': mails.mailRedriveAllRoute,
  'subscription-mail-list': mails.subscriptionMailListRoute,
  search: records.searchRoute,
} satisfies Routes;
