import * as z from 'zod/mini';
import { htmlType } from '../../shared/contract/headers.ts';
import { pageHeaders } from '../../shared/contract/other-responses.ts';
import { defineRoute } from '../../shared/contract/route.ts';
import { unlimitedErrors } from '../../shared/contract/route-parts.ts';
import { CookieHeaders } from '../../shared/fields/cookie-headers.ts';
import { cursorField } from '../../shared/fields/page.ts';
import { field } from './field.ts';

export const route = defineRoute({
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
