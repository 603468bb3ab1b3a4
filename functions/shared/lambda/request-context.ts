import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import type { Callers } from '../contract/callers.ts';
import { defined } from '../contract/defined.ts';
import {
  alwaysHeaders,
  exposedHeaders,
  jsonType,
  originHeaders,
  transportHeaders,
} from '../contract/headers.ts';
import type { Input, Remote, Route } from '../contract/route.ts';
import * as env from '../runtime/env.ts';
import { traceId } from '../runtime/random.ts';
import { clientKey } from './client-key.ts';

export interface RequestContext {
  readonly event: APIGatewayProxyEvent;
  readonly requestId: string;
  readonly rateLimitKey: string;
  readonly remote: Remote;
  readonly startedAtMs: number;
  readonly baseUrl: string;
  rateLimitPassed: Promise<void>;
  /** Work beside the handler, which never rejects. The response waits for it: Lambda freezes the function afterwards. */
  beforeResponse?: Promise<void>;
  input?: ParsedInput;
  caller?: Callers[keyof Callers];
}

export type ParsedInput = Pick<Input<Route>, 'params' | 'headers' | 'query' | 'body'>;

export function createRequestContext(
  event: Partial<APIGatewayProxyEvent>,
  startedAtMs: number,
): RequestContext {
  const gateway = event.requestContext as Partial<APIGatewayProxyEvent['requestContext']> | undefined;
  const address = gateway?.identity?.sourceIp;
  return {
    event: event as APIGatewayProxyEvent,
    requestId: gateway?.requestId ?? traceId(),
    rateLimitKey: clientKey(address),
    remote: { address: address ?? 'Unknown', userAgent: header(event, 'user-agent') },
    startedAtMs,
    baseUrl: env.publicUrl() ?? baseUrlOf(event),
    rateLimitPassed: Promise.resolve(),
  };
}

/**
 * The base URL as API Gateway reports it: its domain, and the prefix before the path of the resource, which
 * is the stage unless a custom domain maps it away.
 */
function baseUrlOf(event: Partial<APIGatewayProxyEvent>): string {
  const { requestContext, path } = event;
  const { domainName = 'localhost', path: fullPath = '' } = requestContext ?? {};
  // The path of the home page is '/' also where the caller left out the slash after the stage.
  const whole = path === '/' ? fullPath.replace(/\/?$/, '/') : fullPath;
  const prefix = path !== undefined && whole.endsWith(path) ? whole.slice(0, -path.length) : '';
  // API Gateway always sets https. Only the local stack sets http.
  const scheme = header(event, 'x-forwarded-proto') === 'http' ? 'http' : 'https';
  return `${scheme}://${domainName}${prefix}`;
}

/** Whether a header was sent more than once. @param name in lower case. */
export function isRepeated(event: Partial<APIGatewayProxyEvent>, name: string): boolean {
  const headers = Object.entries(event.multiValueHeaders ?? {});
  return headers.some(([key, values]) => key.toLowerCase() === name && (values?.length ?? 0) > 1);
}

/** @param name in lower case. */
export function header(event: Partial<APIGatewayProxyEvent>, name: string): string | undefined {
  const [, value] = Object.entries(event.headers ?? {}).find(([key]) => key.toLowerCase() === name) ?? [];
  return value;
}

/**
 * The value of a header that authenticates; empty when it was sent more than once. Two values are ambiguous: what stands
 * between the caller and the function may check one of them, and the function the other. No credential is empty.
 *
 * @param name in lower case.
 */
export function singleHeader(event: Partial<APIGatewayProxyEvent>, name: string): string | undefined {
  return isRepeated(event, name) ? '' : header(event, name);
}

/** The response for API Gateway, with the common headers. `body` is JSON unless the route declares another type. */
export function toResult(
  { event, requestId }: RequestContext,
  route: Route,
  status: number,
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>> = {},
  cookies: readonly string[] = [],
): APIGatewayProxyResult {
  const isError = status >= 400;
  const cors: Record<string, string> = route.cors ? corsHeaders(event) : {};
  const vary = [cors.vary, headers.vary].filter((value) => value !== undefined);
  return {
    statusCode: status,
    headers: {
      'content-type': isError ? jsonType : (route.produces ?? jsonType),
      ...alwaysHeaders,
      ...transportHeaders(env.publicUrl()),
      'x-request-id': requestId,
      ...cors,
      ...headers,
      ...defined({ vary: vary.length > 0 ? vary.join(', ') : undefined }),
    },
    ...defined({ multiValueHeaders: cookies.length > 0 ? { 'set-cookie': [...cookies] } : undefined }),
    body: typeof body === 'string' ? body : Buffer.from(body).toString('base64'),
    isBase64Encoded: typeof body !== 'string',
  };
}

function corsHeaders(event: APIGatewayProxyEvent): Record<string, string> {
  return { ...originHeaders(header(event, 'origin'), env.allowedOrigins()), ...exposedHeaders };
}
