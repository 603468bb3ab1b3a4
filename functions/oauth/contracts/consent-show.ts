import * as z from 'zod/mini';
import { htmlType } from '../../shared/contract/headers.ts';
import { page, pageHeaders, redirect } from '../../shared/contract/other-responses.ts';
import { defineRoute } from '../../shared/contract/route.ts';
import { CookieHeaders } from '../../shared/fields/cookie-headers.ts';
import { AuthorizationParameters, parameter } from '../authorization/parameters.ts';
import { errors } from './common.ts';

export const route = defineRoute({
  method: 'GET',
  path: '/oauth/authorize/consent',
  ofContract: 'path',
  summary: 'Shows the page on which a user grants an application access, or denies it.',
  description: [
    "Redirect the user's browser to this page. The user signs in with a code sent by e-mail, sees the",
    'requested scopes, and allows or denies them. The browser is then redirected to `redirect_uri` with',
    '`code`, `state` and `iss` (RFC 6749, RFC 9207).',
    '',
    'When the `client_id` is unknown, the `redirect_uri` is not registered, or a parameter is repeated,',
    'the page shows the error and does not redirect. Any other error is sent to `redirect_uri` as `error`.',
  ].join('\n'),
  auth: 'none',
  // A sign-in shows up to three pages, which is two for each form.
  throttle: { ratePerSecond: 100, burst: 200 },
  headers: CookieHeaders,
  query: z.extend(AuthorizationParameters, {
    notice: parameter('`expired` when the page redirects to its own start. Not for applications.'),
  }),
  response: z.string(),
  responseHeaders: [...pageHeaders, 'set-cookie'],
  produces: htmlType,
  otherResponses: [
    redirect('The request is not valid: redirects to `redirect_uri` with `error`.'),
    page(400, 'The application or its `redirect_uri` is unknown. The page says so, and does not redirect.'),
  ],
  errorPages: true,
  errors,
  grants: { table: { APP: ['GetItem'], CONSENT: ['GetItem'], USER: ['GetItem'] } },
});
