import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { unlimitedErrors } from '../../shared/contract/route-parts.ts';
import { described } from '../../shared/fields/described.ts';

const RedrivenMails = z.object({
  redriven: z.int().check(described('The number of mails that are due again.')),
  hasMore: z.boolean().check(described('Whether more were given up: repeat the request.')),
});

export const route = defineRoute({
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
  auth: 'operator',
  operatorScope: 'support',
  response: RedrivenMails,
  errors: { ...unlimitedErrors, also: ['invalid_token'] },
  grants: { table: { SUBSCRIPTION: ['GetItem', 'UpdateItem'] }, indexes: { due: ['GIVENUP'] } },
});
