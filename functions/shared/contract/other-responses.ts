import type { ZodMiniType } from 'zod/mini';
import type { ResponseHeader } from './headers.ts';

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
