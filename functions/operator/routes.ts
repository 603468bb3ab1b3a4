import type { Routes } from '../shared/contract/route.ts';
import { operatorKeyCreateRoute, operatorKeyListRoute, operatorKeyRevokeRoute } from './contracts/keys.ts';
import {
  mailGiveUpRoute,
  mailListRoute,
  mailRedriveAllRoute,
  mailRedriveRoute,
  subscriptionMailListRoute,
} from './contracts/mails.ts';
import { actionListRoute, auditListRoute, searchRoute } from './contracts/records.ts';

export const routes = {
  'operator-key-create': operatorKeyCreateRoute,
  'operator-key-list': operatorKeyListRoute,
  'operator-key-revoke': operatorKeyRevokeRoute,
  'action-list': actionListRoute,
  'audit-list': auditListRoute,
  'mail-list': mailListRoute,
  'mail-give-up': mailGiveUpRoute,
  'mail-redrive': mailRedriveRoute,
  'mail-redrive-all': mailRedriveAllRoute,
  'subscription-mail-list': subscriptionMailListRoute,
  search: searchRoute,
} satisfies Routes;
