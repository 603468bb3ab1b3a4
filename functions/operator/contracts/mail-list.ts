import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { unlimitedErrors } from '../../shared/contract/route-parts.ts';
import { described } from '../../shared/fields/described.ts';
import { cursorField, limitField, nextCursorField } from '../../shared/fields/page.ts';
import { mailStatuses } from '../mails/mail-status.ts';

/** The largest page of the list. One batch reads up to 100 entries. */
const maxPage = 100;

const MailListQuery = z.object({
  limit: limitField(maxPage, `The maximum number of mails, 1 to ${maxPage}; 50 by default.`),
  status: z.optional(
    z
      .enum(['given_up', 'held'])
      .check(
        described(
          '`given_up` by default: mails that are not tried again. `held`: mails that wait for the next day, because a quota of the day is used up.',
        ),
      ),
  ),
  cursor: cursorField,
});

const fields = {
  _id: z.string(),
  applicationId: z.string(),
  subscriptionId: z.string(),
  kind: z.string().check(described('The template of the mail, or `close_checkout`.')),
  createdAt: z.iso.datetime(),
  attempts: z.int().check(described('All tries, refused ones included.')),
  possibleCopies: z.int().check(described('Tries after which SES may have accepted the mail.')),
};

export const UndeliveredMail = z.discriminatedUnion('status', [
  z.object({ ...fields, ...mailStatuses.givenUp.shape }),
  z.object({ ...fields, ...mailStatuses.held.shape }),
]);

const UndeliveredMails = z.object({
  mails: z.array(UndeliveredMail),
  nextCursor: nextCursorField('Present when there are more. Pass it as `cursor` to get the next page.'),
});

export const route = defineRoute({
  method: 'GET',
  path: '/api/operator/mails',
  summary: 'Lists the mails about subscriptions that were given up, or that are held until the next day.',
  description: [
    'A mail is given up after three tries that SES may have accepted, after three days, or by an operator. It is listed for 90 days, or',
    'until it is redriven. A mail is held while its application has sent all that it may send in a day (UTC), in all or to',
    'one mailbox; it is sent the next day. Those given up first, or due first, come first. The list is eventually',
    'consistent, and of all applications: the mails about a subscription have a list of their own.',
  ].join('\n'),
  auth: 'operator',
  operatorScope: 'support',
  query: MailListQuery,
  response: UndeliveredMails,
  errors: { ...unlimitedErrors, also: ['invalid_token'] },
  grants: { table: { SUBSCRIPTION: ['BatchGetItem'] }, indexes: { due: ['GIVENUP', 'HELD'] } },
});
