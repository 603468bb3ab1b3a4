import { defined } from '../../functions/shared/contract/defined.ts';
import {
  alwaysHeaders,
  cacheControl,
  exposedHeaders,
  type ResponseHeader,
} from '../../functions/shared/contract/headers.ts';
import type { Header, Reference, Schema } from './types.ts';

const text: Schema = { type: 'string' };
const fixed = (value: string): Schema => ({ type: 'string', const: value });

/** Every header that a response can have, for the components of the document. */
export const headers: Readonly<Record<ResponseHeader, Header>> = {
  'x-request-id': {
    description:
      'Identifies the request. Quote it in questions about the request. Absent from the 429 of AWS WAF, which has `Retry-After: 60`.',
    schema: text,
  },
  'x-audit-id': {
    description:
      'Identifies the log record of the failure and its cause. Quote it when you report the failure.',
    schema: text,
  },
  'retry-after': {
    description: 'Seconds after which the same request is accepted.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
  },
  'www-authenticate': { description: 'How to authenticate: RFC 9110 section 11.6.1.', schema: text },
  location: {
    description: 'Where to go next: a URL, absolute or relative to that of the request.',
    required: true,
    schema: text,
  },
  allow: { description: 'The methods of the path. Present with 405.', schema: text },
  'set-cookie': { description: 'The session of the page.', schema: text },
  'content-disposition': { description: 'The file name to save the body under.', schema: text },
  vary: {
    description: 'The request headers that the response depends on.',
    schema: {
      type: 'string',
      enum: ['origin', 'accept', 'accept-encoding', 'accept, accept-encoding', 'origin, accept-encoding'],
    },
  },
  'content-security-policy': {
    description: 'What the page may load: nothing from other hosts.',
    schema: text,
  },
  etag: {
    description: 'Identifies the content. Send it as `If-None-Match` to learn whether a copy is current.',
    required: true,
    schema: text,
  },
  link: {
    description: 'The next page, with the relation `next`: RFC 8288. Absent on the last page.',
    schema: text,
  },
  'x-frame-options': { description: 'Keeps other pages from framing this one.', schema: fixed('DENY') },
  'unencoded-digest': {
    description: 'The hash of the package for clients, before any compression: the fields of RFC 9530.',
    schema: text,
  },
  'repr-digest': {
    description: 'The SHA-256 of the PDF, if it was mailed: RFC 9530. The bytes are those of the mail.',
    schema: text,
  },
  'referrer-policy': { description: 'Keeps the URL from other hosts.', schema: fixed('no-referrer') },
  refresh: {
    description: 'The seconds after which the browser loads the page again, while work goes on.',
    schema: text,
  },
  'cross-origin-opener-policy': {
    description: 'Separates the page from the one that opened it.',
    schema: fixed('same-origin'),
  },
  'access-control-allow-origin': {
    description: 'The allowed origin. Absent if the origin of the request is not allowed.',
    schema: text,
  },
  'access-control-expose-headers': {
    description: 'The response headers that scripts may read.',
    required: true,
    schema: fixed(exposedHeaders['access-control-expose-headers']),
  },
  'cache-control': {
    description: 'Responses must not be stored.',
    required: true,
    schema: fixed(alwaysHeaders['cache-control']),
  },
  'x-content-type-options': {
    description: 'The content type is exact.',
    required: true,
    schema: fixed(alwaysHeaders['x-content-type-options']),
  },
};

/** The headers of every response, which the conventions describe once. */
export const alwaysNames = ['x-request-id', 'cache-control', 'x-content-type-options'] as const;
const corsNames = ['access-control-allow-origin', 'access-control-expose-headers', 'vary'] as const;

/**
 * References to the headers of a response, without those of every response.
 *
 * @param cacheSeconds of a response that caches may store: its `Cache-Control` differs from that of all others. A response
 *   that names the header itself may also be one that they must not store.
 */
export function headerReferences(
  own: readonly ResponseHeader[],
  hasCors: boolean | undefined,
  cacheSeconds?: number,
): Record<string, Header | Reference> {
  const names = new Set<ResponseHeader>([...own, ...(hasCors ? corsNames : [])]);
  return {
    ...Object.fromEntries([...names].map((name) => [name, { $ref: `#/components/headers/${name}` }])),
    ...defined({
      'cache-control':
        cacheSeconds === undefined ? undefined : storable(cacheSeconds, own.includes('cache-control')),
    }),
  };
}

function storable(seconds: number, isNotAlways: boolean): Header {
  const description = 'How many seconds the response may be stored.';
  const schema = isNotAlways
    ? { type: 'string' as const, enum: [cacheControl(seconds), alwaysHeaders['cache-control']] }
    : fixed(cacheControl(seconds));
  return { description, required: true, schema };
}

/** The headers of the responses of API Gateway. Which of them are present depends on the status. */
export function gatewayHeaders(): Record<string, Header | Reference> {
  const { required: _, ...retryAfter } = headers['retry-after'];
  const { required: __, ...exposed } = headers['access-control-expose-headers'];
  return {
    ...headerReferences([...alwaysNames, 'allow', 'x-audit-id', 'access-control-allow-origin'], false),
    'retry-after': { ...retryAfter, description: `${retryAfter.description} Present with 429.` },
    'access-control-expose-headers': exposed,
  };
}
