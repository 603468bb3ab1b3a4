import { fieldsOf, isObject } from '../fields.ts';
import { VouchsafeError } from './error.ts';

export interface ReceivedAnswer {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
}

/** Whether an answer of a media type is a page of text. */
export const isText = (accept = ''): boolean => accept.startsWith('text/');

/**
 * The content of an answer: the object that is JSON, a page of text, or bytes.
 *
 * @returns undefined when it has another media type, such as the page of a proxy.
 */
export function contentOf(
  { headers }: ReceivedAnswer,
  data: unknown,
  accept: string,
  cursor: string,
): object | undefined {
  if (accept === 'application/json') return parsed(data);
  const type = headers.get('content-type')?.toLowerCase() ?? '';
  if (!type.startsWith(accept)) return undefined;
  const bytes = data instanceof ArrayBuffer ? new Uint8Array(data) : undefined;
  if (!isText(accept)) return bytes;
  const nextCursor = new URLSearchParams(nextQuery(headers.get('link') ?? '')).get(cursor) ?? undefined;
  // A file for DATEV is in Windows-1252.
  const [, charset] = /;\s*charset=([\w-]+)/.exec(type) ?? [];
  return { text: new TextDecoder(charset).decode(bytes), nextCursor };
}

/** The query of the link to the next page, RFC 8288 section 3: targets with parameters, of which `rel` has several relations. */
function nextQuery(links: string): string | undefined {
  for (const [, query, parameters = ''] of links.matchAll(/<[^>?]*\??([^>]*)>((?:"[^"]*"|[^",])*)/g))
    if (/;\s*rel="?([^";]*\s)?next[\s";]/i.test(`${parameters};`)) return query;
  return undefined;
}

function parsed(text: unknown): object | undefined {
  try {
    const value = JSON.parse(String(text));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The codes of services whose errors are sentences. */
const codes: Readonly<Record<number, string>> = {
  400: 'invalid_request',
  401: 'invalid_token',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  429: 'rate_limited',
};

/** The error of an answer that is no success. A code that this version does not know is kept. */
export function errorOf({ status, headers }: ReceivedAnswer, body: unknown, nowMs: number): VouchsafeError {
  const { error, message, error_description, details } = fieldsOf(body);
  const facts = {
    status,
    details: isObject(details) ? details : undefined,
    requestId: headers.get('x-request-id') ?? undefined,
    auditId: headers.get('x-audit-id') ?? undefined,
    retryAfterSeconds: retryAfterSeconds(headers, nowMs),
  };
  if (status === 202) {
    return new VouchsafeError('not_ready', 'The answer is being prepared: repeat the request.', facts);
  }
  if (typeof error !== 'string') {
    const text = `The answer with status ${status} is not one of Vouchsafe. Is the address right?`;
    return new VouchsafeError('unexpected_answer', text, facts);
  }
  const isCode = /^[a-z][a-z0-9_]*$/.test(error);
  const code = isCode ? error : (codes[status] ?? (status < 500 ? 'invalid_request' : 'server_error'));
  return new VouchsafeError(code, String(message ?? error_description ?? error), facts);
}

/** `Retry-After`, RFC 9110 section 10.2.3: seconds or a date, which is compared with the clock of the server. */
function retryAfterSeconds(headers: ReceivedAnswer['headers'], nowMs: number): number | undefined {
  const text = headers.get('retry-after') ?? '';
  if (/^\d+$/.test(text)) return Number(text);
  const from = Date.parse(headers.get('date') ?? '') || nowMs;
  const seconds = Math.ceil((Date.parse(text) - from) / 1_000);
  return Number.isNaN(seconds) ? undefined : Math.max(seconds, 0);
}

const brokenCodes = new Set<unknown>(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

/** How far a request has come. */
export type Stage = 'prepared' | 'sent' | 'answered';

/** The error of a request without a complete answer. Node.js says why in the cause, and browsers do not. */
export function unanswered(cause: unknown, stage: Stage): VouchsafeError {
  if (stage === 'prepared') {
    const message = 'The request cannot be sent: its address, a header or its body is invalid.';
    return new VouchsafeError('invalid_request', message, { cause });
  }
  const reason = cause instanceof Error && cause.cause instanceof Error ? cause.cause : undefined;
  const code = reason !== undefined && 'code' in reason ? reason.code : undefined;
  if (stage === 'answered' || brokenCodes.has(code)) {
    return new VouchsafeError('connection_lost', 'The connection ended before the answer did.', { cause });
  }
  return new VouchsafeError('unreachable', 'The service cannot be reached.', { cause });
}
