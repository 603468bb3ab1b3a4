import * as z from 'zod/mini';
import { htmlType, pageHeaders } from '../../shared/contract/headers.ts';
import { defineRoute, unlimitedErrors } from '../../shared/contract/route.ts';
import { CookieHeaders } from '../../shared/fields/cookie-headers.ts';
import { choice, field } from './console-route.ts';

export const route = defineRoute({
  method: 'GET',
  path: '/console/sign-in',
  summary: 'Shows the sign-in of the console.',
  description: 'For browsers. Operators sign in with their operator key.',
  auth: 'none',
  headers: CookieHeaders,
  query: z.object({
    next: field('The page of the console to show after the sign-in. Any other address is ignored.', 2_048),
    notice: choice('A form came without a session. The console sets it.', ['ended']),
  }),
  response: z.string(),
  responseHeaders: [...pageHeaders, 'set-cookie'],
  produces: htmlType,
  errorPages: true,
  errors: unlimitedErrors,
  grants: {},
});
