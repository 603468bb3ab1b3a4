/** Headers of answers, the same from functions, gateway and local server. */

export const jsonType = 'application/json; charset=utf-8';

/** On every answer, whoever gives it; `x-request-id` comes beside them. */
export const alwaysHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const;

/** What a page may read of an answer beside its body. */
export const exposedHeaders = {
  'access-control-expose-headers': 'x-request-id, x-audit-id, retry-after',
} as const;

/**
 * Says whose pages may read an answer: one origin by name, or everyone. No credentials are allowed: the API uses
 * no cookies. https://fetch.spec.whatwg.org/#http-cors-protocol
 *
 * @param origin the request's `Origin`; one that is not allowed is not named, and its browser gives up.
 * @param allowedOrigins `['*']` allows all.
 */
export function originHeaders(
  origin: string | undefined,
  allowedOrigins: readonly string[],
): Record<string, string> {
  if (allowedOrigins.includes('*')) return { 'access-control-allow-origin': '*' };
  // Without it a cache could give one origin the answer that was meant for another.
  const vary = { vary: 'origin' };
  if (origin === undefined || !allowedOrigins.includes(origin)) return vary;
  return { ...vary, 'access-control-allow-origin': origin };
}
