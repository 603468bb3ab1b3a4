import { randomInt } from 'node:crypto';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { type Registered, registeredRoutes } from '../../../functions/routes.ts';
import { defined } from '../../../functions/shared/contract/defined.ts';
import { maxResultBytes } from '../../../functions/shared/contract/route.ts';
import type { LambdaHandler } from '../../../functions/shared/lambda/endpoint.ts';
import { asFunction, grantsOf } from '../granted.ts';

export interface Call {
  /** Path parameters. */
  params?: Record<string, string>;
  query?: Record<string, string>;
  /** Sent as JSON. A string is sent unchanged, and bytes as Base64. */
  body?: unknown;
  headers?: Record<string, string>;
  sourceIp?: string;
}

export interface Answered {
  status: number;
  headers: Record<string, string>;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any response.
  body: any;
  text: string;
}

/** An address that no other test uses, so that rate limits count only the requests of this one. */
export function freshAddress(): string {
  return `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;
}

/** The addresses of an IPv6 /48 that no other test uses, each in a /64 of its own. */
export function freshBlock(): () => string {
  const [, a, b, c] = freshAddress().split('.').map(Number) as [number, number, number, number];
  const prefix = `2001:${a.toString(16)}:${(b * 256 + c).toString(16)}`;
  let network = 0;
  return () => {
    network += 1;
    return `${prefix}:${network.toString(16)}::1`;
  };
}

/** The event of API Gateway (REST, payload 1.0) for a request. */
export function proxyEvent({ route }: Pick<Registered, 'route'>, call: Call = {}): APIGatewayProxyEvent {
  const { params, query, body, headers = {} } = call;
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name) =>
    encodeURIComponent((params?.[name] ?? '').toWellFormed()),
  );
  const isTyped =
    body === undefined || Object.keys(headers).some((name) => name.toLowerCase() === 'content-type');
  const sent: Record<string, string> = {
    ...defined({ 'Content-Type': isTyped ? undefined : 'application/json' }),
    ...headers,
  };
  return {
    resource: route.path,
    path,
    httpMethod: route.method,
    headers: sent,
    multiValueHeaders: Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, [value]])),
    queryStringParameters: query ?? null,
    multiValueQueryStringParameters: query
      ? Object.fromEntries(Object.entries(query).map(([name, value]) => [name, [value]]))
      : null,
    pathParameters: params ?? null,
    stageVariables: null,
    requestContext: {
      requestId: 'test-request',
      domainName: 'api.test',
      path: `/test${path}`,
      identity: { sourceIp: call.sourceIp ?? freshAddress() },
    } as APIGatewayProxyEvent['requestContext'],
    body: textOf(body),
    isBase64Encoded: body instanceof Uint8Array,
  };
}

function textOf(body: unknown): string | null {
  if (body instanceof Uint8Array) return Buffer.from(body).toString('base64');
  return typeof body === 'string' ? body : (JSON.stringify(body) ?? null);
}

const routes = new Map(registeredRoutes().map((entry) => [entry.id, entry]));

/** The registered route with the id. */
export function registered(id: string): Registered {
  const route = routes.get(id);
  if (route === undefined) throw new Error(`No route ${id}`);
  return route;
}

/** The handler of a route, loaded by its file name as the deployment does. */
export async function handlerOf({ service, name }: Registered): Promise<LambdaHandler> {
  return (await import(`../../../functions/${service}/${name}.ts`)).handler;
}

/** Calls the handler of a route with the event of a request, under the route's grants. */
export async function call(id: string, request: Call = {}): Promise<Answered> {
  const entry = registered(id);
  const handler = await handlerOf(entry);
  return asFunction(id, grantsOf(entry.route), async () => read(await handler(proxyEvent(entry, request))));
}

/** The bytes of a result as Lambda returns it to API Gateway. */
export const resultBytes = (result: APIGatewayProxyResult): number =>
  Buffer.byteLength(JSON.stringify(result));

/** A handler's result with its body parsed. A result that Lambda would not return is API Gateway's 502. */
export function read(result: APIGatewayProxyResult): Answered {
  if (result.body.length > 500_000 && resultBytes(result) > maxResultBytes)
    return { status: 502, headers: {}, body: undefined, text: '' };
  const headers = (result.headers ?? {}) as Record<string, string>;
  const isJson = headers['content-type']?.startsWith('application/json');
  return {
    status: result.statusCode,
    headers,
    text: result.body,
    body: isJson && result.body !== '' ? JSON.parse(result.body) : result.body,
  };
}

/** The body of a successful response. @throws Error for any other response. */
export function good({ status, body, text }: Answered) {
  if (status >= 300) throw new Error(`${status}: ${text}`);
  return body;
}
