import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { unlimitedErrors } from '../../shared/contract/route-parts.ts';
import { UserPath } from '../schemas.ts';

const SentEnrolmentLink = z.object({
  email: z.string().check(z.meta({ description: 'The address that the link was mailed to.' })),
  expiresAt: z.iso.datetime(),
});

export const route = defineRoute({
  method: 'POST',
  path: '/api/operator/users/{userId}/enrolment-link',
  words: { title: 'Mail an enrolment link', notice: 'The link is mailed to the user.' },
  summary: 'Mails a user a link by which they get sign-in codes whatever strangers do.',
  description: [
    'Strangers can use up the codes that a mailbox gets in an hour. Codes that are asked for with the link are counted apart,',
    'and strangers can neither replace nor void them. The first sign-in, or the first device that is verified, spends the link.',
    'It expires after seven days. It signs nobody in by itself.',
    '',
    'A repeated request mails another link. Each works once.',
  ].join('\n'),
  auth: 'operator',
  operatorScope: 'support',
  params: UserPath,
  response: SentEnrolmentLink,
  errors: { ...unlimitedErrors, also: ['invalid_token', 'not_found', 'conflict'] },
  grants: { table: { USER: ['GetItem'], MAILBOX: ['PutItem'] }, uses: ['mail'] },
});
