import * as z from 'zod/mini';
import { htmlType } from '../../shared/contract/headers.ts';
import { notModified, pageHeaders, storedHeaders } from '../../shared/contract/other-responses.ts';
import { defineRoute } from '../../shared/contract/route.ts';
import { unlimitedErrors } from '../../shared/contract/route-parts.ts';
import { ConditionalHeaders } from '../../shared/fields/conditional-headers.ts';
import { cacheSeconds, throttle } from './common.ts';

const GroupParams = z.object({
  group: z.string().check(
    z.meta({
      description: 'A tag of the OpenAPI document, `events` or `errors`.',
      examples: ['subscriptions'],
    }),
  ),
});

export const route = defineRoute({
  method: 'GET',
  path: '/docs/{group}',
  summary: 'Returns the operations of a group, the events or the errors as a page, for browsers.',
  auth: 'none',
  throttle,
  params: GroupParams,
  headers: ConditionalHeaders,
  response: z.string(),
  produces: htmlType,
  cacheSeconds,
  responseHeaders: [...storedHeaders, ...pageHeaders],
  otherResponses: [notModified(...pageHeaders)],
  errors: { ...unlimitedErrors, also: ['not_found'] },
  errorPages: true,
  grants: { files: ['docs.json', 'docs.csp'] },
});
