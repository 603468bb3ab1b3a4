import * as z from 'zod/mini';
import { formRoute } from '../../shared/contract/form-route.ts';
import { htmlType, page, pageHeaders, redirectHeaders } from '../../shared/contract/headers.ts';
import { commonErrors, defineRoute, unlimitedErrors } from '../../shared/contract/route.ts';
import { CookieHeaders } from '../../shared/fields/cookie-headers.ts';
import { minuteMs } from '../../shared/runtime/clock.ts';
import { actionRoute, choice, field, formBody } from './console-route.ts';

export const signInShowRoute = defineRoute({
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

export const signInSubmitRoute = defineRoute({
  ...formRoute,
  path: '/console/sign-in',
  summary: 'Signs an operator in to the console.',
  description:
    'For browsers. The operator key starts a session of eight hours, which ends earlier when the key is revoked or expires. The session does not contain the key.',
  limit: { group: 'console-sign-in', max: 10, windowMs: minuteMs },
  headers: CookieHeaders,
  body: z.object({
    ...formBody,
    key: field('The operator key.'),
    next: field('The page of the console to show then.', 2_048),
  }),
  responseHeaders: [...redirectHeaders, 'set-cookie'],
  otherResponses: [
    page(400, 'The operator key is not valid.'),
    page(403, 'The form belongs to another browser, or was not loaded from the sign-in.', 'set-cookie'),
  ],
  errors: commonErrors,
  grants: { table: { OPERATORKEY: ['GetItem'], CONSOLESESSION: ['PutItem', 'DeleteItem'] } },
});

export const signOutRoute = defineRoute({
  ...actionRoute,
  path: '/console/sign-out',
  operationId: 'submitConsoleSignOut',
  summary: 'Ends a session of the console.',
  description: 'For browsers. The operator key stays valid.',
  body: z.object(formBody),
  responseHeaders: [...redirectHeaders, 'set-cookie'],
  grants: { table: { CONSOLESESSION: ['DeleteItem'] } },
});
