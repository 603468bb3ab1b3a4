import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type * as z from 'zod/mini';
import { secondMs } from '../../../functions/shared/runtime/duration.ts';
import { parseJson, readToEnd } from './body.ts';
import { sendError } from './local-response.ts';

const maxBodyBytes = 16 * 1024;
/** A request waits no longer for background work, which may hang. */
const settlingMs = 10 * secondMs;

/** Waits for background work that a response is to include, ten seconds at most. */
export async function inTime(work: Promise<unknown>): Promise<void> {
  const late = new AbortController();
  await Promise.race([work, sleep(settlingMs, undefined, { signal: late.signal }).catch(() => {})]);
  late.abort();
}

/** The JSON body of a request; undefined when it is not valid, and the response says so with the `details`. */
export async function readOrder<T extends z.ZodMiniType>(
  request: IncomingMessage,
  response: ServerResponse,
  schema: T,
  details: Record<string, string>,
): Promise<z.output<T> | undefined> {
  const body = await readToEnd(request, maxBodyBytes);
  if (body === undefined) {
    sendError(response, 'payload_too_large');
    return undefined;
  }
  // Required, because the forms of other web sites cannot send this type.
  if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '')) {
    sendError(response, 'invalid_request', { details: { 'content-type': 'has to be application/json' } });
    return undefined;
  }
  const order = schema.safeParse(parseJson(body));
  if (order.success) return order.data;
  sendError(response, 'invalid_request', { details });
  return undefined;
}

/**
 * The quality of a media type, 0 to 1, in the Accept header of a request. The most specific range counts.
 *
 * Source: RFC 9110 section 12.5.1
 */
export function quality(request: IncomingMessage, type: string, subtype: string): number {
  let best = { specificity: 0, q: 0 };
  for (const part of (request.headers.accept ?? '*/*').toLowerCase().split(',')) {
    const [range, ...parameters] = part.split(';').map((piece) => piece.trim());
    const specificity = [undefined, '*/*', `${type}/*`, `${type}/${subtype}`].indexOf(range);
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    if (specificity > best.specificity)
      best = { specificity, q: weight === undefined ? 1 : Number(weight) || 0 };
  }
  return best.q;
}
