import { defineRoute } from '../../shared/contract/route.ts';
import { MailListQuery, UndeliveredMails } from '../mails/schemas.ts';
import { errors, operatorRoute } from './common.ts';

export const route = defineRoute({
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
});
