import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { unlimitedErrors } from '../../shared/contract/route-parts.ts';
import { described } from '../../shared/fields/described.ts';

export const MailPath = z.object({
  mailId: z.string().check(described('The `_id` of the list, percent-encoded.')),
});

const RedrivenMail = z.object({ success: z.literal(true) });

export const route = defineRoute({
  method: 'POST',
  path: '/api/operator/mails/{mailId}/redrive',
  words: { title: 'Send the mail again', notice: 'The mail is due again.' },
  summary: 'Sends a given-up mail again.',
  description: [
    'The mail is due again, as if it were new: up to three further copies within three days. A mail that is no longer',
    'needed, such as an invoice that was paid since, is not sent.',
  ].join('\n'),
  auth: 'operator',
  operatorScope: 'support',
  params: MailPath,
  response: RedrivenMail,
  errors: { ...unlimitedErrors, also: ['invalid_token', 'not_found'] },
  grants: { table: { SUBSCRIPTION: ['GetItem', 'UpdateItem'] } },
});
