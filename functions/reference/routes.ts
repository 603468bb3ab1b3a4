import * as z from 'zod/mini';
import { notModified, page, pageHeaders, storedHeaders } from '../shared/contract/other-responses.ts';
import { defineRoutes } from '../shared/contract/route.ts';
import { ConditionalHeaders } from '../shared/fields/conditional-headers.ts';

/** A deployment changes both. Its canary lasts five minutes too, in which two versions respond. */
const cacheSeconds = 300;

/** Each reader needs one of each, and a cache keeps it: 50 a second are 180,000 readers an hour. */
const throttle = { ratePerSecond: 50, burst: 100 };

const HomeHeaders = z.extend(ConditionalHeaders, {
  accept: z.optional(z.string()).check(z.describe('If it contains `text/html`, the response is a page.')),
});

const url = (text: string) => z.string().check(z.describe(text));

const HomeResponse = z.object({
  name: z.string(),
  documentationUrl: url('The API reference, as a page.'),
  openapiUrl: url('The API as an OpenAPI document.'),
  authorizationServerUrl: url('The metadata of the OAuth 2.0 authorization server: RFC 8414.'),
  shareUrl: url('The page on which people create and open shares.'),
  accountUrl: url(
    'The page on which users see and remove their devices, and the applications that can act for them.',
  ),
});

export const routes = defineRoutes({
  home: {
    method: 'GET',
    path: '/',
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
    errors: { invalid: 'invalid_request', failed: 'server_error' },
    grants: {},
  },
  'security-txt': {
    method: 'GET',
    path: '/.well-known/security.txt',
    summary: 'Returns whom to tell of a vulnerability.',
    description: 'RFC 9116. A stage without `securityContact` has no such file.',
    auth: 'none',
    response: z.string(),
    produces: 'text/plain; charset=utf-8',
    errors: { invalid: 'invalid_request', failed: 'server_error', also: ['not_found'] },
    grants: { uses: ['securityContact'] },
  },
  document: {
    method: 'GET',
    path: '/openapi.json',
    summary: 'Returns this document, the API as OpenAPI 3.1.',
    auth: 'none',
    throttle,
    headers: ConditionalHeaders,
    response: z.looseObject({}),
    cacheSeconds,
    responseHeaders: storedHeaders,
    otherResponses: [notModified()],
    errors: { invalid: 'invalid_request', failed: 'server_error' },
    cors: true,
    grants: { files: ['openapi.json'] },
  },
  page: {
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
  },
});
