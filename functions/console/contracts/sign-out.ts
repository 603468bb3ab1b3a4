import * as z from 'zod/mini';
import { redirectHeaders } from '../../shared/contract/headers.ts';
import { defineRoute } from '../../shared/contract/route.ts';
import { actionRoute, formBody } from './console-route.ts';

export const route = defineRoute({
  ...actionRoute,
  path: '/console/sign-out',
  operationId: 'submitConsoleSignOut',
  summary: 'Ends a session of the console.',
  description: 'For browsers. The operator key stays valid.',
  body: z.object(formBody),
  responseHeaders: [...redirectHeaders, 'set-cookie'],
  grants: { table: { CONSOLESESSION: ['DeleteItem'] } },
});
