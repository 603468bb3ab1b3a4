import * as z from 'zod/mini';
import { htmlType, notModified, page, pageHeaders, storedHeaders } from '../shared/contract/headers.ts';
import { defineRoute, type Routes, unlimitedErrors } from '../shared/contract/route.ts';
import { ConditionalHeaders } from '../shared/fields/conditional-headers.ts';

/** A deployment changes both. Its canary lasts five minutes too, in which two versions respond. */
export const cacheSeconds = 300;

/** Each reader needs one of each, and a cache keeps it: 50 a second are 180,000 readers an hour. */
const throttle = { ratePerSecond: 50, burst: 100 };

const pageParts = {
  method: 'GET',
  auth: 'none',
  throttle,
  headers: ConditionalHeaders,
  response: z.string(),
  produces: htmlType,
  cacheSeconds,
  responseHeaders: [...storedHeaders, ...pageHeaders],
  otherResponses: [notModified(...pageHeaders)],
} as const;

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

export const homeRoute = defineRoute({
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

export const securityTxtRoute = defineRoute({
  method: 'GET',
  path: '/.well-known/security.txt',
  operationId: 'getSecurityTxt',
  summary: 'Returns whom to tell of a vulnerability.',
  description: 'RFC 9116. A stage without `securityContact` has no such file.',
  auth: 'none',
  response: z.string(),
  produces: 'text/plain; charset=utf-8',
  errors: { ...unlimitedErrors, also: ['not_found'] },
  grants: { uses: ['securityContact'] },
});

export const documentRoute = defineRoute({
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

export const pageRoute = defineRoute({
  ...pageParts,
  path: '/docs',
  operationId: 'showReferencePage',
  summary: 'Returns the first page of the API reference, for browsers.',
  errors: unlimitedErrors,
  grants: { files: ['docs.html', 'docs.csp'] },
});

const GroupParams = z.object({
  group: z.string().check(
    z.meta({
      description: 'A tag of the OpenAPI document, `events`, `errors`, `guides`, or the name of a guide.',
      examples: ['subscriptions'],
    }),
  ),
});

export const groupRoute = defineRoute({
  ...pageParts,
  path: '/docs/{group}',
  operationId: 'showReferenceGroupPage',
  summary: 'Returns the operations of a group, the events, the errors or a guide as a page, for browsers.',
  params: GroupParams,
  errors: { ...unlimitedErrors, also: ['not_found'] },
  errorPages: true,
  grants: { files: ['docs.json', 'docs.csp'] },
});

export const routes = {
  home: homeRoute,
  'security-txt': securityTxtRoute,
  document: documentRoute,
  page: pageRoute,
  group: groupRoute,
} satisfies Routes;
