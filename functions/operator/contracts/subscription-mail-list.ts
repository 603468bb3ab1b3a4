import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { unlimitedErrors } from '../../shared/contract/route-parts.ts';
import { described } from '../../shared/fields/described.ts';
import { cursorField, limitField, nextCursorField } from '../../shared/fields/page.ts';
import { IdPath } from '../../shared/fields/path-id.ts';

/** The largest page of the list. */
const maxPage = 100;

const MailsQuery = z.object({
  limit: limitField(maxPage, `The maximum number of mails, 1 to ${maxPage}; 50 by default.`),
  cursor: cursorField,
});

export const SubscriptionMail = z.object({
  _id: z.string(),
  kind: z.string().check(described('The template of the mail.')),
  to: z.string().check(described('The address of the client when the mail was written.')),
  createdAt: z.iso.datetime().check(described('When the change was made that the mail is about.')),
  state: z
    .enum(['due', 'held', 'sent', 'dropped', 'given_up'])
    .check(
      described(
        '`due`: it is sent within minutes, or tried again. `held`: it waits for the next day. `dropped`: it was not needed any more, or a later mail replaces it.',
      ),
    ),
  endedAt: z.optional(z.iso.datetime().check(described('When it was sent, dropped or given up.'))),
  attempts: z.int().check(described('All tries, refused ones included.')),
});

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
