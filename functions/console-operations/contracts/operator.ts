import { submitRoute } from '../../console/contracts/operations.ts';
import {
  operatorKeyCreateRoute as operatorKeyCreate,
  operatorKeyRevokeRoute as operatorKeyRevoke,
} from '../../operator/contracts/keys.ts';
import {
  mailGiveUpRoute as mailGiveUp,
  mailRedriveRoute as mailRedrive,
  mailRedriveAllRoute as mailRedriveAll,
} from '../../operator/contracts/mails.ts';

export const commands = {
  'operator-key-create': operatorKeyCreate,
  'operator-key-revoke': operatorKeyRevoke,
  'mail-redrive': mailRedrive,
  'mail-redrive-all': mailRedriveAll,
  'mail-give-up': mailGiveUp,
};

export const route = submitRoute('operator', commands, 'operator keys and undelivered mails');
