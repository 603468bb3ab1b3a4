import * as z from 'zod/mini';
import { notModified, pageHeaders, storedHeaders } from '../../shared/contract/other-responses.ts';
import { defineRoute } from '../../shared/contract/route.ts';
import { ConditionalHeaders } from '../../shared/fields/conditional-headers.ts';
import { cacheSeconds, throttle } from './common.ts';

export const route = defineRoute({
  method: 'GET',
  path: '/docs',
  summary: 'Returns the API reference as a page, for browsers.',
  auth: 'none',
  throttle,
  headers: ConditionalHeaders,
  response: z.string(),
  produces: 'text/html; charset=utf-8',
  cacheSeconds,
  responseHeaders: [...storedHeaders, ...pageHeaders],
  otherResponses: [notModified(...pageHeaders)],
  errors: { invalid: 'invalid_request', failed: 'server_error' },
  grants: { files: ['docs.html', 'docs.csp'] },
});
