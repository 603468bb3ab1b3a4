/** Routes of undelivered mails, apart from the others: their functions carry no other contract. */
import { defineRoutes } from '../../shared/contract/route.ts';
import { MailListQuery, MailPath, RedrivenMail, RedrivenMails, UndeliveredMails } from './schemas.ts';

const operatorRoute = { auth: 'operator', operatorScope: 'support' } as const;
const errors = { invalid: 'invalid_request', failed: 'server_error' } as const;

export const mailRoutes = defineRoutes({
  'mail-list': {
    method: 'GET',
    path: '/api/operator/mails',
    summary: 'Lists the mails about subscriptions that were given up, or that are held until the next day.',
    description: [
      'A mail is given up after three tries that SES may have accepted, or after three days. It is listed for 90 days, or',
      'until it is redriven. A mail is held while its application has sent all that it may send in a day (UTC), in all or to',
      'one mailbox; it is sent the next day. Those given up first, or due first, come first. The list is eventually',
      'consistent.',
    ].join('\n'),
    ...operatorRoute,
    query: MailListQuery,
    response: UndeliveredMails,
    errors: { ...errors, also: ['invalid_token'] },
    grants: { table: { SUBSCRIPTION: ['BatchGetItem'] }, indexes: { due: ['GIVENUP', 'HELD'] } },
  },
  'mail-redrive': {
    method: 'POST',
    path: '/api/operator/mails/{mailId}/redrive',
    summary: 'Sends a given-up mail again.',
    description: [
      'The mail is due again, as if it were new: up to three further copies within three days. A mail that is no longer',
      'needed, such as an invoice that was paid since, is not sent.',
    ].join('\n'),
    ...operatorRoute,
    params: MailPath,
    response: RedrivenMail,
    errors: { ...errors, also: ['invalid_token', 'not_found'] },
    grants: { table: { SUBSCRIPTION: ['UpdateItem'] } },
  },
  'mail-redrive-all': {
    method: 'POST',
    path: '/api/operator/mails/redrive',
    summary: 'Sends given-up mails again, up to 500, the longest given up first.',
    description:
      'Each mail is due again as after a redrive of that mail alone. Repeat the request while `hasMore` is true.',
    ...operatorRoute,
    response: RedrivenMails,
    errors: { ...errors, also: ['invalid_token'] },
    grants: { table: { SUBSCRIPTION: ['UpdateItem'] }, indexes: { due: ['GIVENUP'] } },
  },
});
