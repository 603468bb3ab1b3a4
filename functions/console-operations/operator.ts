import { operationsEndpoint } from '../console/operations/perform.ts';
import { giveUpMail } from '../operator/mail-give-up.ts';
import { redriveMail } from '../operator/mail-redrive.ts';
import { redriveAllMails } from '../operator/mail-redrive-all.ts';
import { createOperatorKey } from '../operator/operator-key-create.ts';
import { revokeOperatorKey } from '../operator/operator-key-revoke.ts';
import { commands, route } from './contracts/operator.ts';

export const handler = operationsEndpoint(route, commands, {
  'operator-key-create': createOperatorKey,
  'operator-key-revoke': revokeOperatorKey,
  'mail-redrive': redriveMail,
  'mail-redrive-all': redriveAllMails,
  'mail-give-up': giveUpMail,
});
