import type { IncomingMessage, ServerResponse } from 'node:http';
import type * as z from 'zod/mini';
import { secondMs } from '../../../functions/shared/runtime/duration.ts';
import { withTimeLimit } from '../time-limit.ts';
import { parseJson, readBody } from './body.ts';
import { sendError } from './local-response.ts';

const maxBodyBytes = 16 * 1024;
/** A request waits no longer for background work, which may hang. */
const settlingMs = 10 * secondMs;

/** Waits for background work that a response is to include, ten seconds at most. */
export async function inTime(work: Promise<unknown>): Promise<void> {
  await withTimeLimit<unknown>(settlingMs, work, () => undefined);
}

/** The JSON body of a request; undefined when it is not valid, and the response says so with the `details`. */
export async function readOrder<T extends z.ZodMiniType>(
  request: IncomingMessage,
  response: ServerResponse,
  schema: T,
  details: Record<string, string>,
): Promise<z.output<T> | undefined> {
  const body = await readBody(request, maxBodyBytes);
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
