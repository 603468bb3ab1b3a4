import type { IncomingMessage, ServerResponse } from 'node:http';
import type * as z from 'zod/mini';
import { errorBody, gatewayErrors } from '../../../functions/shared/contract/errors.ts';
import { alwaysHeaders, jsonType } from '../../../functions/shared/contract/headers.ts';
import { acceptsHtml } from '../../../functions/shared/html/page.ts';
import { clock, secondMs } from '../../../functions/shared/runtime/clock.ts';
import { withTimeLimit } from '../time-limit.ts';
import { parseJson, readBody } from './body.ts';
import { Refusal } from './gateway-response.ts';
import { localPagePolicy } from './local-page.ts';
import { MalformedEncoding } from './proxy-event.ts';
import { router } from './router.ts';
import { withTimeBar } from './time-bar.ts';

/** Responds to a `/_local` request and returns true; returns false when the path belongs to other routes. */
export type LocalRoutes = (request: IncomingMessage, response: ServerResponse, url: URL) => Promise<boolean>;

export interface LocalRequest {
  message: IncomingMessage;
  query: URLSearchParams;
  parameters: Readonly<Record<string, string>>;
}

export type Answer = (response: ServerResponse, message: IncomingMessage) => void;

/** @param table functions by method and path: `GET /_local/mailbox/{id}`. They throw a {@link Refusal}. */
export function localRoutes(
  table: Readonly<Record<string, (request: LocalRequest) => Answer | Promise<Answer>>>,
): LocalRoutes {
  const entries = Object.entries(table).map(([key, answer]) => {
    const [method = '', path = ''] = key.split(' ');
    return { methods: method === 'GET' ? ['GET', 'HEAD'] : [method], path, answer };
  });
  const find = router(Map.groupBy(entries, ({ path }) => path));
  return async (message, response, { pathname, searchParams: query }) => {
    try {
      const found = find(pathname.replace(/\/$/, ''));
      if (found === undefined) return false;
      const entry = found.entries.find(({ methods }) => methods.includes(message.method ?? ''));
      if (entry === undefined) {
        const allow = found.entries.flatMap(({ methods }) => methods).join(', ');
        throw new Refusal('method_not_allowed', { headers: { allow } });
      }
      const answer = await entry.answer({ message, query, parameters: found.parameters });
      answer(response, message);
    } catch (error) {
      if (error instanceof MalformedEncoding) return false;
      if (!(error instanceof Refusal)) throw error;
      const row = gatewayErrors[error.code];
      const { message: text = row.message, details, headers = {} } = error.own;
      response.setHeaders(new Map(Object.entries(headers)));
      json(errorBody({ ...row, message: text }, details), row.status)(response, message);
    }
    return true;
  };
}

export const json =
  (body: unknown, status = 200): Answer =>
  (response) => {
    response
      .writeHead(status, { 'content-type': jsonType, ...alwaysHeaders })
      .end(`${JSON.stringify(body, null, 2)}\n`);
  };

/** A page, on which the time of the stack is. */
export const page =
  (html: string): Answer =>
  (response) => {
    const plain = {
      status: 200,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': localPagePolicy,
        // A form of the page names the page as its origin; with no-referrer, it would name none.
        'referrer-policy': 'same-origin',
        ...alwaysHeaders,
      },
      body: Buffer.from(html),
    };
    const { status, headers, body } = withTimeBar(plain, clock.nowMs());
    response.writeHead(status, headers).end(body);
  };

export const pageOrJson =
  (html: () => string, body: () => unknown): Answer =>
  (response, message) => {
    response.setHeader('vary', 'accept');
    const answer = acceptsHtml(message.headers.accept) ? page(html()) : json(body());
    answer(response, message);
  };

export const redirect =
  (location: string, cookies: string[] = []): Answer =>
  (response) => {
    response.writeHead(303, { location, 'set-cookie': cookies, ...alwaysHeaders }).end();
  };

/** The whole body of a request. @throws Refusal when it exceeds `maxBytes` */
export async function bodyOf({ message }: LocalRequest, maxBytes = 16 * 1024): Promise<string> {
  const body = await readBody(message, maxBytes);
  if (body === undefined) throw new Refusal('payload_too_large');
  return body.toString();
}

/** The JSON body of a request. @throws Refusal with the `details` when it is not valid */
export async function readOrder<T extends z.ZodMiniType>(
  request: LocalRequest,
  schema: T,
  details: Record<string, string>,
): Promise<z.output<T>> {
  const body = await bodyOf(request);
  // Required, because the forms of other web sites cannot send this type.
  if (!/^application\/json\s*(;|$)/i.test(request.message.headers['content-type'] ?? ''))
    throw new Refusal('invalid_request', { details: { 'content-type': 'has to be application/json' } });
  const order = schema.safeParse(parseJson(body));
  if (order.success) return order.data;
  throw new Refusal('invalid_request', { details });
}

/** A request waits no longer for background work, which may hang. */
const settlingMs = 10 * secondMs;

/** Waits for background work that a response is to include, ten seconds at most. */
export async function inTime(work: Promise<unknown>): Promise<void> {
  await withTimeLimit<unknown>(settlingMs, work, () => undefined);
}
