import * as z from 'zod/mini';
import { formRoute } from '../shared/contract/form-route.ts';
import { htmlType, page, pageHeaders, redirectHeaders } from '../shared/contract/headers.ts';
import { defineRoute, type Routes, unlimitedErrors } from '../shared/contract/route.ts';
import { revocationSeconds } from '../shared/contract/secret.ts';
import { CookieHeaders } from '../shared/fields/cookie-headers.ts';
import { cursorField } from '../shared/fields/page.ts';

const field = (description: string, maxLength = 256) =>
  z.optional(z.string().check(z.maxLength(maxLength), z.meta({ description })));

export const showRoute = defineRoute({
  method: 'GET',
  path: '/account',
  summary: 'Shows the account page, on which users see and remove their devices and applications.',
  description: [
    'For browsers. A person signs in with a code sent by e-mail. The page lists the trusted devices of the user and the',
    'applications that the user allowed. Each can be removed, and the user can sign out everywhere.',
    '',
    'The page is for every user whose address is proven: by an operator who entered the user, or by a device that was verified',
    'with a code. A suspended user cannot sign in. When several users verified devices with one address, the page shows one at',
    'a time. Quarantined devices are not listed: anyone can create them, and they can do nothing.',
  ].join('\n'),
  auth: 'none',
  // A visit shows a page for each form, and the first.
  throttle: { ratePerSecond: 60, burst: 120 },
  headers: CookieHeaders,
  query: z.object({
    cursor: cursorField,
    enrolment: field('The token of an enrolment link. The browser keeps it for the sign-in.'),
    done: field('What the last form did, with a proof of it. The page sets it when it redirects to itself.'),
    notice: field(
      '`expired` after a session has ended. The page sets it when it redirects to its own start.',
    ),
  }),
  response: z.string(),
  responseHeaders: [...pageHeaders, 'set-cookie'],
  produces: htmlType,
  errorPages: true,
  errors: unlimitedErrors,
  grants: {
    table: {
      ACCOUNTSESSION: ['GetItem'],
      ADDRESS: ['GetItem'],
      APP: ['BatchGetItem'],
      DEVICE: ['Query'],
      GRANT: ['Query'],
      USER: ['GetItem', 'BatchGetItem'],
      VERIFIEDADDRESS: ['Query'],
    },
  },
});

export const submitRoute = defineRoute({
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

export const routes = {
  show: showRoute,
  submit: submitRoute,
} satisfies Routes;
