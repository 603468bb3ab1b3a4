import * as z from 'zod/mini';
import { formRoute } from '../../shared/contract/form-route.ts';
import { page, redirectHeaders } from '../../shared/contract/other-responses.ts';
import { defineRoute } from '../../shared/contract/route.ts';
import { unlimitedErrors } from '../../shared/contract/route-parts.ts';
import { revocationSeconds } from '../../shared/contract/secret.ts';
import { CookieHeaders } from '../../shared/fields/cookie-headers.ts';
import { field } from './field.ts';

export const route = defineRoute({
  ...formRoute,
  path: '/account',
  summary: 'Receives the forms of the account page.',
  description: [
    "For browsers. A form carries an anti-forgery token and the person's choice. The response is the next page or a redirect.",
    'From one client address, at most 3 codes are sent and 10 codes are tried in any 60 seconds, those of the consent page included. The caps',
    'of POST /api/auth/mfa/send and verify apply as well, and codes of all three count together. A request over a limit gets the',
    'page with status 429.',
    '',
    'A removed device is refused at its next vault call. The tokens of a withdrawn application stop working within',
    `${revocationSeconds} seconds. Signing out everywhere ends every trusted device, session and token of the user, and keeps vault and`,
    'proof.',
  ].join('\n'),
  // A visit sends three forms, of which one mails a code: 10 mails a second.
  throttle: { ratePerSecond: 30, burst: 60 },
  headers: CookieHeaders,
  body: z.object({
    form: field('The anti-forgery token of the form.'),
    step: field(
      '`send`, `resend`, `sign-in`, `switch`, `remove`, `keep`, `remove-all`, `withdraw`, `sign-out` or `sign-out-everywhere`.',
    ),
    email: field('The e-mail address to sign in with.', 1_000),
    code: field('The code from the e-mail.'),
    device: field('The id of the device to remove, or to keep while all others are removed.'),
    application: field('The id of the application to withdraw.'),
    user: field('The id of the user to show, among those of the address.'),
  }),
  responseHeaders: [...redirectHeaders, 'set-cookie'],
  otherResponses: [
    page(200, 'The next page.', 'set-cookie'),
    page(400, 'The form is incomplete, or the code is wrong. The page says which.', 'set-cookie'),
    page(403, 'The form belongs to another session, or no user can sign in with the address.'),
    page(429, 'Too many codes were sent or tried.', 'set-cookie', 'retry-after'),
  ],
  errors: { ...unlimitedErrors, also: ['conflict'] },
  grants: {
    table: {
      ACCESSTOKEN: ['DeleteItem'],
      ACCOUNTSESSION: ['GetItem', 'PutItem', 'DeleteItem'],
      ADDRESS: ['GetItem'],
      AUDIT: ['PutItem'],
      CODE: ['PutItem', 'UpdateItem'],
      DEVICE: ['Query', 'DeleteItem'],
      EVENT: ['PutItem'],
      GRANT: ['Query', 'GetItem', 'PutItem', 'UpdateItem'],
      MAILBOX: ['BatchGetItem', 'GetItem', 'PutItem', 'UpdateItem'],
      PROOF: ['GetItem', 'UpdateItem', 'ConditionCheckItem'],
      RATE: ['GetItem', 'UpdateItem'],
      REFRESHTOKEN: ['DeleteItem'],
      USER: ['GetItem', 'BatchGetItem', 'UpdateItem'],
      VERIFIEDADDRESS: ['Query'],
    },
    uses: ['mail', 'deploymentKey'],
  },
});
