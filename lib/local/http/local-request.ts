import type { IncomingMessage, ServerResponse } from 'node:http';
import type * as z from 'zod/mini';
import { parseJson, readToEnd } from './body.ts';
import { sendError } from './local-response.ts';

const maxBodyBytes = 16 * 1024;

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
