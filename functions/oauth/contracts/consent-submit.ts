import * as z from 'zod/mini';
import { formRoute } from '../../shared/contract/form-route.ts';
import { page, redirectHeaders } from '../../shared/contract/other-responses.ts';
import { defineRoute } from '../../shared/contract/route.ts';
import { CookieHeaders } from '../../shared/fields/cookie-headers.ts';
import { AuthorizationParameters, parameter } from '../authorization/parameters.ts';
import { errors } from './common.ts';

export const route = defineRoute({
  ...formRoute,
  path: '/oauth/authorize/consent',
  summary: 'Receives the forms of the consent page. Not for applications.',
  description: [
    "A form carries the parameters of the authorization request, an anti-forgery token and the user's",
    'choice. The response is the next page or a redirect. From one client address, at most 3 codes are',
    'sent and 10 codes are tried in any 60 seconds. The caps of POST /api/auth/mfa/send and verify apply',
    'as well, and codes of both count together. A request over a limit gets the page with status 429.',
  ].join('\n'),
  // A sign-in sends three forms, of which one mails a code: 14 to 17 mails a second, the rate of SES.
  throttle: { ratePerSecond: 50, burst: 100 },
  headers: CookieHeaders,
  body: z.extend(AuthorizationParameters, {
    form: parameter('The anti-forgery token of the form.'),
    step: parameter('`send`, `resend`, `sign-in`, `allow`, `deny` or `switch`.'),
    email: parameter('The e-mail address to sign in with.'),
    code: parameter('The code from the e-mail.'),
    ticket: parameter('Without PKCE: identifies the form, so that a repeated submission is recognized.'),
  }),
  responseHeaders: [...redirectHeaders, 'set-cookie'],
  otherResponses: [
    page(200, 'The next page.', 'set-cookie'),
    page(400, 'The form is incomplete, or the code is wrong. The page says which.', 'set-cookie'),
    page(403, 'The form belongs to another session, or the user cannot sign in.'),
    page(409, 'The user has answered this request before.'),
    page(429, 'Too many codes were sent or tried.', 'set-cookie', 'retry-after'),
  ],
  errors,
  grants: {
    table: {
      ADDRESS: ['GetItem'],
      APP: ['GetItem'],
      CODE: ['PutItem', 'UpdateItem'],
      CONSENT: ['GetItem', 'PutItem', 'DeleteItem'],
      MAILBOX: ['BatchGetItem', 'GetItem', 'PutItem', 'UpdateItem'],
      RATE: ['GetItem', 'UpdateItem'],
      AUTHORIZATIONCODE: ['GetItem', 'PutItem'],
      USER: ['GetItem'],
    },
    uses: ['mail', 'deploymentKey'],
  },
});
