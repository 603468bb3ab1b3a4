import { submitRoute } from '../../console/contracts/operations.ts';
import { route as mailGiveUp } from '../../operator/contracts/mail-give-up.ts';
import { route as mailRedrive } from '../../operator/contracts/mail-redrive.ts';
import { route as mailRedriveAll } from '../../operator/contracts/mail-redrive-all.ts';
import { route as operatorKeyCreate } from '../../operator/contracts/operator-key-create.ts';
import { route as operatorKeyRevoke } from '../../operator/contracts/operator-key-revoke.ts';

export const commands = {
  'operator-key-create': operatorKeyCreate,
  'operator-key-revoke': operatorKeyRevoke,
  'mail-redrive': mailRedrive,
  'mail-redrive-all': mailRedriveAll,
  'mail-give-up': mailGiveUp,
};

export const route = submitRoute('operator', commands, 'operator keys and undelivered mails');
