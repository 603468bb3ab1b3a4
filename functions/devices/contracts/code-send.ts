import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { EmailAddress } from '../../shared/fields/email-address.ts';
import { CodeHeaders } from '../device.ts';
import { codeLimit } from './common.ts';

const CodeRequest = z.object({ email: EmailAddress });

const CodeResponse = z.object({ success: z.literal(true), message: z.string() });

export const route = defineRoute({
  method: 'POST',
  path: '/api/auth/mfa/send',
  ofContract: 'path',
  operationId: 'sendDeviceCode',
  summary: 'Sends a 6-digit code by e-mail. The code is valid for five minutes.',
  description: [
    'A new code replaces the previous one. The response does not reveal whether the address belongs to a user.',
    'Case is ignored, and both spellings of an international domain are the same address.',
    '',
    'In any hour a mailbox gets at most 20 codes for address blocks (an IPv4 address or an IPv6 /48) that have not verified it',
    'in the last 90 days: one for each, and up to 6 for one block while all of them have had fewer than 6. Each block and each',
    'device that verified it gets 6 of its own. Addresses that differ in a plus-tag, or at Gmail in dots, are one mailbox. Codes',
    'of the consent page count as well. A request over a cap gets 429.',
    '',
    'A device that verified the mailbox shows it by `x-device-token` or `DPoP`, and whoever has an enrolment link by',
    '`x-enrolment-token`. Their code is their own: nobody else replaces it or uses up its attempts. Verify it with the same',
    'headers. A proof or token that is not valid is ignored.',
  ].join('\n'),
  auth: 'device',
  limit: codeLimit,
  concurrentRateLimit: true,
  headers: CodeHeaders,
  // A code costs 0.00011 dollars: at this rate 40 dollars an hour. The limits of addresses and mailboxes bound the mails.
  throttle: { ratePerSecond: 100, burst: 200 },
  body: CodeRequest,
  response: CodeResponse,
  errors: { invalid: 'code_email_invalid', limited: 'code_send_limited', failed: 'code_send_failed' },
  cors: true,
  grants: {
    table: { CODE: ['PutItem', 'UpdateItem'], MAILBOX: ['BatchGetItem', 'PutItem'] },
    uses: ['mail', 'deploymentKey'],
  },
});
