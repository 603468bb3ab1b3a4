import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { alwaysHeaders, exposedHeaders, jsonType, originHeaders } from '../contract/headers.ts';
import type { Callers, Client, Input, Route } from '../contract/route.ts';
import { env } from '../runtime/env.ts';
import { traceId } from '../runtime/random.ts';
import { clientKey } from './client-key.ts';

/** One request on its way through the chain. */
export interface RequestContext {
  readonly event: APIGatewayProxyEvent;
  readonly requestId: string;
  /** What the rate limits count. */
  readonly rateLimitKey: string;
  readonly client: Client;
  readonly startedAtMs: number;
  /** Where the caller reached the API, without a slash at the end; the issuer of OAuth. */
  readonly baseUrl: string;
  /** Settles once the request is counted; rejects with the route's 429. */
  rateLimitPassed: Promise<void>;
  /** Query and body as the route declares them, once parsed. */
  input?: ParsedInput;
  /** Once authenticated. */
  caller?: Callers[keyof Callers];
}

/** What a request carries, as the route declares it. */
export type ParsedInput = Pick<Input<Route>, 'params' | 'headers' | 'query' | 'body'>;

/** Reads what every step needs, from events as sparse as a hand-written test's. */
export function createRequestContext(
  event: Partial<APIGatewayProxyEvent>,
  startedAtMs: number,
): RequestContext {
  const context = event.requestContext as Partial<APIGatewayProxyEvent['requestContext']> | undefined;
  const address = context?.identity?.sourceIp;
  return {
    event: event as APIGatewayProxyEvent,
    requestId: context?.requestId ?? traceId(),
    rateLimitKey: clientKey(address),
    client: { address: address ?? 'Unknown', userAgent: header(event, 'user-agent') },
    startedAtMs,
    baseUrl: env.publicUrl() ?? baseUrlOf(event),
    rateLimitPassed: Promise.resolve(),
  };
}

/**
 * From what API Gateway says of itself: its domain, and what comes before the resource's path (the stage, unless a
 * domain maps it away).
 */
function baseUrlOf(event: Partial<APIGatewayProxyEvent>): string {
  const { requestContext, path } = event;
  const { domainName = 'localhost', path: whole = '' } = requestContext ?? {};
  const prefix = path !== undefined && whole.endsWith(path) ? whole.slice(0, -path.length) : '';
  // The gateway sets it, to https always; the local stack is the one that says http.
  const scheme = header(event, 'x-forwarded-proto') === 'http' ? 'http' : 'https';
  return `${scheme}://${domainName}${prefix}`;
}

/** Whether a header was sent more than once, its name in any case. */
export function isRepeated(event: Partial<APIGatewayProxyEvent>, name: string): boolean {
  const sent = Object.entries(event.multiValueHeaders ?? {});
  return sent.some(([key, values]) => key.toLowerCase() === name && (values?.length ?? 0) > 1);
}

/** A header by name, whatever its case. */
export function header(event: Partial<APIGatewayProxyEvent>, name: string): string | undefined {
  const found = Object.entries(event.headers ?? {}).find(([key]) => key.toLowerCase() === name);
  return found?.[1];
}

/** The answer with the headers that every answer carries; `body` is JSON unless the route says otherwise. */
export function toResult(
  { event, requestId }: RequestContext,
  route: Route,
  status: number,
  body: string | Uint8Array,
  more: Readonly<Record<string, string>> = {},
  cookies: readonly string[] = [],
): APIGatewayProxyResult {
  const isError = status >= 400;
  return {
    statusCode: status,
    headers: {
      'content-type': isError ? jsonType : (route.produces ?? jsonType),
      ...alwaysHeaders,
      'x-request-id': requestId,
      ...(route.cors && {
        ...originHeaders(header(event, 'origin'), env.allowedOrigins()),
        ...exposedHeaders,
      }),
      ...more,
    },
    ...(cookies.length > 0 && { multiValueHeaders: { 'set-cookie': [...cookies] } }),
    body: typeof body === 'string' ? body : Buffer.from(body).toString('base64'),
    isBase64Encoded: typeof body !== 'string',
  };
}
