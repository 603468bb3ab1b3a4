import * as z from 'zod/mini';
import { htmlType } from '../../shared/contract/headers.ts';
import { notModified, pageHeaders, storedHeaders } from '../../shared/contract/other-responses.ts';
import { defineRoute } from '../../shared/contract/route.ts';
import { unlimitedErrors } from '../../shared/contract/route-parts.ts';
import { ConditionalHeaders } from '../../shared/fields/conditional-headers.ts';
import { cacheSeconds, throttle } from './common.ts';

export const route = defineRoute({
  method: 'GET',
  path: '/docs',
  summary: 'Returns the first page of the API reference, for browsers.',
  auth: 'none',
  throttle,
  headers: ConditionalHeaders,
  response: z.string(),
  produces: htmlType,
  cacheSeconds,
  responseHeaders: [...storedHeaders, ...pageHeaders],
  otherResponses: [notModified(...pageHeaders)],
  errors: unlimitedErrors,
  grants: { files: ['docs.html', 'docs.csp'] },
});
