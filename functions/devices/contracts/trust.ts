import { defineRoute } from '../../shared/contract/route.ts';
import { CodeHeaders, TrustRequest, TrustResponse } from '../device.ts';
import { codeLimit } from './common.ts';

export const route = defineRoute({
  method: 'POST',
  path: '/api/auth/mfa/verify',
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
    'better than a token. Whoever verifies the device again replaces its proof.',
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
