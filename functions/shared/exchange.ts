import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { callerKey } from './caller.ts';
import type { Input, Route } from './contract.ts';
import { env } from './env.ts';
import { alwaysHeaders, exposedHeaders, jsonType, originHeaders } from './headers.ts';
import { traceId } from './random.ts';

/** One request on its way through the chain. */
export interface Exchange {
  readonly event: APIGatewayProxyEvent;
  readonly requestId: string;
  /** What the rate limits count. */
  readonly caller: string;
  readonly startedAtMs: number;
  /** Query and body as the route declares them, once parsed. */
  input?: Input<Route>;
}

/** Reads what every step needs, from events as sparse as a hand-written test's. */
export function openExchange(event: Partial<APIGatewayProxyEvent>, startedAtMs: number): Exchange {
  const context = event.requestContext as Partial<APIGatewayProxyEvent['requestContext']> | undefined;
  return {
    event: event as APIGatewayProxyEvent,
    requestId: context?.requestId ?? traceId(),
    caller: callerKey(context?.identity?.sourceIp),
    startedAtMs,
  };
}

/** A header by name, whatever its case. */
export function header(event: APIGatewayProxyEvent, name: string): string | undefined {
  const found = Object.entries(event.headers ?? {}).find(([key]) => key.toLowerCase() === name);
  return found?.[1];
}

/** The answer with the headers that every answer carries; `body` is JSON unless the route says otherwise. */
export function answer(
  { event, requestId }: Exchange,
  route: Route,
  status: number,
  body: string,
  more: Record<string, string> = {},
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
    body,
    isBase64Encoded: false,
  };
}
