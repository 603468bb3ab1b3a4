import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { EmailAddress } from '../../shared/fields/email-address.ts';
import { MailedCode } from '../../shared/fields/mailed-code.ts';
import { UserId } from '../../shared/fields/user-id.ts';
import { minuteMs } from '../../shared/runtime/clock.ts';
import { CodeHeaders, DeviceId } from '../device.ts';

/** Shared by sending and verifying: three requests a minute in total. */
const codeLimit = { group: 'mfa', max: 3, windowMs: minuteMs } as const;

const CodeRequest = z.object({ email: EmailAddress });

const CodeResponse = z.object({ success: z.literal(true), message: z.string() });

export const codeSendRoute = defineRoute({
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

/** A coordinate of a point of P-256: 32 bytes. RFC 7518 section 6.2.1. */
const coordinate = z.string().check(z.regex(/^[A-Za-z0-9_-]{43}$/, 'must be 32 bytes as base64url'));

const TrustRequest = z.object({
  userId: UserId,
  userEmail: EmailAddress,
  deviceId: DeviceId.check(z.meta({ description: 'The value that device-check returned.' })),
  code: MailedCode,
  devicePublicKey: z.optional(
    z
      .object({
        kty: z.literal('EC'),
        crv: z.literal('P-256'),
        x: coordinate,
        y: coordinate,
        d: z.optional(
          z.unknown().check(
            z.refine(() => false, 'must stay on the device: send the public key only'),
            // JSON Schema: nothing is valid.
            z.meta({ not: {} }),
          ),
        ),
      })
      .check(
        z.meta({
          description: [
            'The public key of the device, a JWK (RFC 7517) for P-256. Each vault call of the device then requires a DPoP',
            'proof of that key. Without it the response has a `deviceToken`.',
          ].join('\n'),
        }),
      ),
  ),
  deviceTokenRequired: z._default(
    z.boolean().check(
      z.meta({
        description: [
          'Whether the device has to present its `deviceToken` from its first call on. Without it, it has to once it has',
          'presented it. Set it, unless the client knows no device tokens.',
        ].join('\n'),
      }),
    ),
    false,
  ),
});

const TrustResponse = z.object({
  success: z.literal(true),
  deviceToken: z.optional(
    z.string().check(
      z.meta({
        description: [
          'The proof of possession of the device, shown once. Send it as `x-device-token` on vault calls. Absent when the',
          'request has a `devicePublicKey`.',
        ].join('\n'),
        examples: ['vdt_AAAAAAAAAAAAAAAAAAAAAA'],
      }),
    ),
  ),
});

export const trustRoute = defineRoute({
  method: 'POST',
  path: '/api/auth/mfa/verify',
  ofContract: 'path',
  summary: 'Trusts a quarantined device after verifying the mailed code.',
  description: [
    "The code must be the last one sent to `userEmail`, and `userEmail` must be the user's address. If the user has no",
    "address yet, `userEmail` becomes the user's address until an operator changes it. A deployment with `enrolment`",
    'set to `known` accepts only users whom an operator entered. The device must be one that device-check',
    'quarantined for that user. The error is the same whichever condition fails. A code works once, and is void after',
    'five wrong attempts. An address block (an IPv4 address or an IPv6 /48) has 30 wrong attempts in any hour, whatever',
    'the mailbox, and then gets 429. Blocks other than the one that asked for the code have only the first two of the five',
    'attempts. A code that was asked for with a device proof or `x-enrolment-token` is verified with the same.',
    '',
    'The response has a `deviceToken`, which proves on vault calls that they come from this device. Alternatively send a',
    '`devicePublicKey`, and sign each vault call with that key (DPoP, RFC 9449). A key that cannot leave the browser is',
    'better than a token. Whoever verifies the device again, quarantined or trusted, replaces its proof.',
    '',
    'The user is notified by a New Device Login mail.',
  ].join('\n'),
  auth: 'device',
  limit: codeLimit,
  concurrentRateLimit: true,
  headers: CodeHeaders,
  body: TrustRequest,
  response: TrustResponse,
  errors: {
    invalid: 'code_data_invalid',
    limited: 'code_verify_limited',
    failed: 'code_verify_failed',
    also: ['code_wrong'],
  },
  cors: true,
  grants: {
    table: {
      CODE: ['UpdateItem'],
      MAILBOX: ['GetItem', 'UpdateItem'],
      RATE: ['GetItem', 'UpdateItem'],
      DEVICE: ['GetItem', 'Query', 'PutItem', 'DeleteItem'],
      USER: ['GetItem', 'UpdateItem'],
      VERIFIEDADDRESS: ['PutItem'],
      ALERT: ['PutItem', 'UpdateItem', 'DeleteItem'],
    },
    uses: ['mail', 'deploymentKey', 'enrolment'],
  },
});
