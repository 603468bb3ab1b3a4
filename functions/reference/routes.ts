import * as z from 'zod/mini';
import { defineRoutes } from '../shared/contract/route.ts';

export const routes = defineRoutes({
  document: {
    method: 'GET',
    path: '/openapi.json',
    summary: 'This document: the API as OpenAPI 3.1.',
    auth: 'none',
    response: z.looseObject({}),
    errors: { failed: 'server_error' },
    cors: true,
    grants: { files: ['openapi.json'] },
  },
  page: {
    method: 'GET',
    path: '/docs',
    summary: 'The reference, to read and to try out in a browser.',
    auth: 'none',
    response: z.string(),
    produces: 'text/html; charset=utf-8',
    errors: { failed: 'server_error' },
    grants: { files: ['docs.html'] },
  },
});
