import * as z from 'zod/mini';
import { defineRoutes } from '../shared/contract/route.ts';

export const routes = defineRoutes({
  document: {
    method: 'GET',
    path: '/openapi.json',
    summary: 'Returns this document, the API as OpenAPI 3.1.',
    auth: 'none',
    response: z.looseObject({}),
    errors: { failed: 'server_error' },
    cors: true,
    grants: { files: ['openapi.json'] },
  },
  page: {
    method: 'GET',
    path: '/docs',
    summary: 'Returns the interactive API reference, for browsers.',
    auth: 'none',
    response: z.string(),
    produces: 'text/html; charset=utf-8',
    errors: { failed: 'server_error' },
    grants: { files: ['docs.html'] },
  },
});
