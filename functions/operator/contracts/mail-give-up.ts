import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { unlimitedErrors } from '../../shared/contract/route-parts.ts';
import { MailPath } from './mail-redrive.ts';

const GivenUpMail = z.object({ success: z.literal(true) });

export const route = defineRoute({
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
  auth: 'operator',
  operatorScope: 'support',
  params: MailPath,
  response: GivenUpMail,
  errors: { ...unlimitedErrors, also: ['invalid_token', 'not_found', 'invalid_transition'] },
  grants: { table: { SUBSCRIPTION: ['GetItem', 'UpdateItem'] } },
});
