import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { EmailAddress } from '../../shared/fields/email-address.ts';
import { MailedCode } from '../../shared/fields/mailed-code.ts';
import { UserId } from '../../shared/fields/user-id.ts';
import { CodeHeaders, DeviceId } from '../device.ts';
import { codeLimit } from './common.ts';

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

export const route = defineRoute({
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
