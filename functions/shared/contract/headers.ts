import type { ZodMiniType } from 'zod/mini';

export const jsonType = 'application/json; charset=utf-8';
export const htmlType = 'text/html; charset=utf-8';

/** On every response, in addition to `x-request-id`. Only a route with `cacheSeconds` may be stored. */
export const alwaysHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const;

/** How long a response may be stored that never changes, because its address has the hash of its content. */
export const yearSeconds = 31_536_000;

/**
 * The `Cache-Control` of a response that every cache may store for a time: RFC 9111 section 5.2.2. One for a year never
 * changes, so a reload does not ask for it again: RFC 8246.
 */
export function cacheControl(seconds: number): string {
  return `public, max-age=${seconds}${seconds >= yearSeconds ? ', immutable' : ''}`;
}

/**
 * Where the API has a domain, a browser that was there once uses https alone, for a year: RFC 6797. Without a domain the host is
 * that of API Gateway, which other APIs share.
 *
 * @param publicUrl the URL of the API, where the stage has a domain.
 */
export function transportHeaders(publicUrl: string | undefined): Record<string, string> {
  const isSecure = publicUrl?.startsWith('https://') === true;
  return isSecure ? { 'strict-transport-security': `max-age=${yearSeconds}` } : {};
}

export type ResponseHeader =
  | keyof typeof alwaysHeaders
  | keyof typeof exposedHeaders
  | 'access-control-allow-origin'
  | 'allow'
  | 'content-disposition'
  | 'content-security-policy'
  | 'cross-origin-opener-policy'
  | 'etag'
  | 'link'
  | 'location'
  | 'referrer-policy'
  | 'refresh'
  | 'repr-digest'
  | 'retry-after'
  | 'set-cookie'
  | 'unencoded-digest'
  | 'vary'
  | 'www-authenticate'
  | 'x-audit-id'
  | 'x-frame-options'
  | 'x-request-id';

/** The response headers that a page's script may read. */
export const exposedHeaders = {
  'access-control-expose-headers': 'x-request-id, x-audit-id, retry-after, date',
} as const;

/**
 * The CORS headers of a response: they allow one origin, or all. Credentials are never allowed, because the
 * API uses no cookies. https://fetch.spec.whatwg.org/#http-cors-protocol
 *
 * @param origin the request's `Origin`. The browser rejects the response when its origin is not allowed.
 * @param allowedOrigins `['*']` allows all.
 */
export function originHeaders(
  origin: string | undefined,
  allowedOrigins: readonly string[],
): Record<string, string> {
  if (allowedOrigins.includes('*')) return { 'access-control-allow-origin': '*' };
  // Without Vary, a cache could serve one origin the response meant for another.
  const vary = { vary: 'origin' };
  if (origin === undefined || !allowedOrigins.includes(origin)) return vary;
  return { ...vary, 'access-control-allow-origin': origin };
}

/** A response of a route beside its successful one and its errors, for the documentation. */
export interface OtherResponse {
  readonly status: 200 | 202 | 303 | 304 | 400 | 402 | 403 | 409 | 422 | 429 | 503;
  /** When the route responds so: one sentence, CommonMark. */
  readonly description: string;
  /** By default the route's own media type, with its schema. */
  readonly mediaType?: 'text/html' | 'application/pdf' | 'application/x-tar' | 'text/csv' | 'text/plain';
  /** Of a JSON response that differs from the route's own. */
  readonly schema?: ZodMiniType;
  readonly isEmpty?: true;
  /** Headers in addition to those of every response. */
  readonly headers: readonly ResponseHeader[];
}

export const pageHeaders = [
  'content-security-policy',
  'x-frame-options',
  'referrer-policy',
  'cross-origin-opener-policy',
] as const satisfies readonly ResponseHeader[];

export const redirectHeaders = ['location', 'referrer-policy'] as const satisfies readonly ResponseHeader[];

/** The headers of a response that may be stored, beside its `Cache-Control`. */
export const storedHeaders = ['etag', 'vary'] as const satisfies readonly ResponseHeader[];

/** The response to a caller whose copy is current. RFC 9110 section 15.4.5. */
export function notModified(...headers: ResponseHeader[]): OtherResponse {
  const description = 'The copy that `If-None-Match` names is current.';
  return { status: 304, description, isEmpty: true, headers: [...storedHeaders, ...headers] };
}

export function page(
  status: OtherResponse['status'],
  description: string,
  ...headers: ResponseHeader[]
): OtherResponse {
  return { status, description, mediaType: 'text/html', headers: [...pageHeaders, ...headers] };
}

/** A redirect that the browser follows with GET. */
export function redirect(description: string, ...headers: ResponseHeader[]): OtherResponse {
  return { status: 303, description, isEmpty: true, headers: [...redirectHeaders, ...headers] };
}
