import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { unlimitedErrors } from '../../shared/contract/route-parts.ts';
import { described } from '../../shared/fields/described.ts';
import { cursorField, limitField, nextCursorField } from '../../shared/fields/page.ts';
import { IdPath } from '../../shared/fields/path-id.ts';
import { mailStatuses } from '../mails/mail-status.ts';

const maxPage = 100;

const MailsQuery = z.object({
  limit: limitField(maxPage, `The maximum number of mails, 1 to ${maxPage}; 50 by default.`),
  cursor: cursorField,
});

const fields = {
  _id: z.string(),
  kind: z.string().check(described('The template of the mail.')),
  to: z.string().check(described('The address of the client when the mail was written.')),
  createdAt: z.iso.datetime().check(described('When the change was made that the mail is about.')),
  attempts: z.int().check(described('All tries, refused ones included.')),
};

const { due, held, sent, dropped, givenUp } = mailStatuses;

export const SubscriptionMail = z.discriminatedUnion('status', [
  z.object({ ...fields, ...due.shape }),
  z.object({ ...fields, ...held.shape }),
  z.object({ ...fields, ...sent.shape }),
  z.object({ ...fields, ...dropped.shape }),
  z.object({ ...fields, ...givenUp.shape }),
]);

const SubscriptionMails = z.object({
  mails: z.array(SubscriptionMail),
  nextCursor: nextCursorField('Present when there are more. Pass it as `cursor` to get the next page.'),
});

export const route = defineRoute({
  method: 'GET',
  path: '/api/operator/subscriptions/{id}/mails',
  summary: 'Lists the mails about a subscription, newest first.',
  description: [
    'A mail is listed for 90 days after it was sent, dropped or given up. Those of the same moment are sorted by their ids. No mail',
    'is on two pages. The texts of the mails are not kept.',
  ].join('\n'),
  auth: 'operator',
  operatorScope: 'support',
  params: IdPath,
  query: MailsQuery,
  response: SubscriptionMails,
  errors: { ...unlimitedErrors, also: ['invalid_token', 'not_found'] },
  grants: { table: { SUBSCRIPTION: ['GetItem', 'Query'] } },
});
