import * as z from 'zod/mini';
import { notModified, storedHeaders } from '../../shared/contract/other-responses.ts';
import { defineRoute } from '../../shared/contract/route.ts';
import { unlimitedErrors } from '../../shared/contract/route-parts.ts';
import { ConditionalHeaders } from '../../shared/fields/conditional-headers.ts';
import { cacheSeconds, throttle } from './common.ts';

export const route = defineRoute({
  method: 'GET',
  path: '/openapi.json',
  operationId: 'getOpenApiDocument',
  summary: 'Returns this document, the API as OpenAPI 3.1.',
  auth: 'none',
  throttle,
  headers: ConditionalHeaders,
  response: z.looseObject({}),
  cacheSeconds,
  responseHeaders: storedHeaders,
  otherResponses: [notModified()],
  errors: unlimitedErrors,
  cors: true,
  grants: { files: ['openapi.json'] },
});
