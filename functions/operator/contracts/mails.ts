import * as z from 'zod/mini';
import { defineRoute, operatorRoute } from '../../shared/contract/route.ts';
import { described } from '../../shared/fields/described.ts';
import { cursorField, limitField, nextCursorField } from '../../shared/fields/page.ts';
import { IdPath } from '../../shared/fields/path-id.ts';
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

export const mailListRoute = defineRoute({
  method: 'GET',
  path: '/api/operator/mails',
  summary: 'Lists the mails about subscriptions that were given up, or that are held until the next day.',
  description: [
    'A mail is given up after three tries that SES may have accepted, after three days, or by an operator. It is listed for 90 days, or',
    'until it is redriven. A mail is held while its application has sent all that it may send in a day (UTC), in all or to',
    'one mailbox; it is sent the next day. Those given up first, or due first, come first. The list is eventually',
    'consistent, and of all applications: the mails about a subscription have a list of their own.',
  ].join('\n'),
  ...operatorRoute('support'),
  query: MailListQuery,
  response: UndeliveredMails,
  grants: { table: { SUBSCRIPTION: ['BatchGetItem'] }, indexes: { due: ['GIVENUP', 'HELD'] } },
});

const MailPath = z.object({
  mailId: z.string().check(described('The `_id` of the list, percent-encoded.')),
});

const RedrivenMail = z.object({ success: z.literal(true) });

export const mailRedriveRoute = defineRoute({
  method: 'POST',
  path: '/api/operator/mails/{mailId}/redrive',
  words: { title: 'Send the mail again', notice: 'The mail is due again.' },
  summary: 'Sends a given-up mail again.',
  description: [
    'The mail is due again, as if it were new: up to three further copies within three days. A mail that is no longer',
    'needed, such as an invoice that was paid since, is not sent.',
  ].join('\n'),
  ...operatorRoute('support', 'not_found'),
  params: MailPath,
  response: RedrivenMail,
  grants: { table: { SUBSCRIPTION: ['GetItem', 'UpdateItem'] } },
});

const GivenUpMail = z.object({ success: z.literal(true) });

export const mailGiveUpRoute = defineRoute({
  method: 'POST',
  path: '/api/operator/mails/{mailId}/give-up',
  words: { title: 'Give up the mail', notice: 'The mail is given up.' },
  operationId: 'giveUpMail',
  summary: 'Ends the tries of a mail that is tried again or held.',
  description: [
    'The mail is listed as given up, with the failure `GivenUpByOperator`, and a redrive sends it again. One that was sent or',
    'dropped, or that is being sent (`in_delivery`, five minutes at most), is an `invalid_transition`; `details.status` says which.',
    'A mail that SES may have accepted in a try without an answer counts as not sent.',
  ].join('\n'),
  ...operatorRoute('support', 'not_found', 'invalid_transition'),
  params: MailPath,
  response: GivenUpMail,
  grants: { table: { SUBSCRIPTION: ['GetItem', 'UpdateItem'] } },
});

const RedrivenMails = z.object({
  redriven: z.int().check(described('The number of mails that are due again.')),
  hasMore: z.boolean().check(described('Whether more were given up: repeat the request.')),
});

export const mailRedriveAllRoute = defineRoute({
  method: 'POST',
  path: '/api/operator/mails/redrive',
  words: {
    title: 'Send all undelivered mails again',
    question: 'Mails that SES may have accepted arrive once more. Send all again?',
    notice: 'The mails are due again.',
  },
  operationId: 'redriveMails',
  summary: 'Sends given-up mails again, up to 500, the longest given up first.',
  description:
    'Each mail is due again as after a redrive of that mail alone. Repeat the request while `hasMore` is true.',
  ...operatorRoute('support'),
  response: RedrivenMails,
  grants: { table: { SUBSCRIPTION: ['GetItem', 'UpdateItem'] }, indexes: { due: ['GIVENUP'] } },
});

const maxSubscriptionMails = 100;

const MailsQuery = z.object({
  limit: limitField(
    maxSubscriptionMails,
    `The maximum number of mails, 1 to ${maxSubscriptionMails}; 50 by default.`,
  ),
  cursor: cursorField,
});

const subscriptionMailFields = {
  _id: z.string(),
  kind: z.string().check(described('The template of the mail.')),
  to: z.string().check(described('The address of the client when the mail was written.')),
  createdAt: z.iso.datetime().check(described('When the change was made that the mail is about.')),
  attempts: z.int().check(described('All tries, refused ones included.')),
};

const { due, held, sent, dropped, givenUp } = mailStatuses;

export const SubscriptionMail = z.discriminatedUnion('status', [
  z.object({ ...subscriptionMailFields, ...due.shape }),
  z.object({ ...subscriptionMailFields, ...held.shape }),
  z.object({ ...subscriptionMailFields, ...sent.shape }),
  z.object({ ...subscriptionMailFields, ...dropped.shape }),
  z.object({ ...subscriptionMailFields, ...givenUp.shape }),
]);

const SubscriptionMails = z.object({
  mails: z.array(SubscriptionMail),
  nextCursor: nextCursorField('Present when there are more. Pass it as `cursor` to get the next page.'),
});

export const subscriptionMailListRoute = defineRoute({
  method: 'GET',
  path: '/api/operator/subscriptions/{id}/mails',
  summary: 'Lists the mails about a subscription, newest first.',
  description: [
    'A mail is listed for 90 days after it was sent, dropped or given up. Those of the same moment are sorted by their ids. No mail',
    'is on two pages. The texts of the mails are not kept.',
  ].join('\n'),
  ...operatorRoute('support', 'not_found'),
  params: IdPath,
  query: MailsQuery,
  response: SubscriptionMails,
  grants: { table: { SUBSCRIPTION: ['GetItem', 'Query'] } },
});
