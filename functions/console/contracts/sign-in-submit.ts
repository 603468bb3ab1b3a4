import * as z from 'zod/mini';
import { formRoute } from '../../shared/contract/form-route.ts';
import { page, redirectHeaders } from '../../shared/contract/headers.ts';
import { commonErrors, defineRoute } from '../../shared/contract/route.ts';
import { CookieHeaders } from '../../shared/fields/cookie-headers.ts';
import { minuteMs } from '../../shared/runtime/clock.ts';
import { field, formBody } from './console-route.ts';

export const route = defineRoute({
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
