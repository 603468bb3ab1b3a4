import { submitRoute } from '../../console/contracts/operations.ts';
import { operatorKeyCreateRoute, operatorKeyRevokeRoute } from '../../operator/contracts/keys.ts';
import { mailGiveUpRoute, mailRedriveAllRoute, mailRedriveRoute } from '../../operator/contracts/mails.ts';

export const commands = {
  'operator-key-create': operatorKeyCreateRoute,
  'operator-key-revoke': operatorKeyRevokeRoute,
  'mail-redrive': mailRedriveRoute,
  'mail-redrive-all': mailRedriveAllRoute,
  'mail-give-up': mailGiveUpRoute,
};

export const route = submitRoute('operator', commands, 'operator keys and undelivered mails');
