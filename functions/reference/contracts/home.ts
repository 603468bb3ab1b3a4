import * as z from 'zod/mini';
import { notModified, page, pageHeaders, storedHeaders } from '../../shared/contract/other-responses.ts';
import { defineRoute } from '../../shared/contract/route.ts';
import { unlimitedErrors } from '../../shared/contract/route-parts.ts';
import { ConditionalHeaders } from '../../shared/fields/conditional-headers.ts';
import { cacheSeconds } from './common.ts';

const HomeHeaders = z.extend(ConditionalHeaders, {
  accept: z.optional(z.string()).check(z.describe('If it contains `text/html`, the response is a page.')),
});

const url = (text: string) => z.string().check(z.describe(text));

const HomeResponse = z.object({
  name: z.string(),
  documentationUrl: url('The API reference, as a page.'),
  guidesUrl: url('Guides by job, as pages.'),
  openapiUrl: url('The API as an OpenAPI document.'),
  authorizationServerUrl: url('The metadata of the OAuth 2.0 authorization server: RFC 8414.'),
  shareUrl: url('The page on which people create and open shares.'),
  accountUrl: url(
    'The page on which users see and remove their devices, and the applications that can act for them.',
  ),
});

export const route = defineRoute({
  method: 'GET',
  path: '/',
  operationId: 'getHome',
  summary: 'Returns the home page, or its links as JSON, depending on `Accept`.',
  auth: 'none',
  headers: HomeHeaders,
  response: HomeResponse,
  cacheSeconds,
  responseHeaders: storedHeaders,
  otherResponses: [
    page(200, 'The page, for callers that accept `text/html`.', ...storedHeaders),
    notModified(),
    { ...notModified(...pageHeaders), mediaType: 'text/html' },
  ],
  errors: unlimitedErrors,
  grants: {},
});
