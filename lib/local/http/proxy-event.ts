import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { isBinary } from '../../deployment/gateway/binary-types.ts';

export interface RawRequest {
  method: string;
  /** The request target as sent: `/api/share?id=1`. */
  target: string;
  /** Names and values in turn, in the order and case they were sent in. */
  rawHeaders: readonly string[];
  body: Buffer;
  /** The peer of the connection. A header could claim any address. */
  peerAddress: string | undefined;
  port: number;
  /** The route's path, `/api/thing/{id}`. */
  resource: string;
  /** Decoded values of the resource's parameters. */
  pathParameters: Record<string, string>;
  requestId: string;
  /** Epoch milliseconds. */
  nowMs: number;
}

/** The request's path or query is not valid percent-encoding of UTF-8. */
export class MalformedEncoding extends Error {}

/**
 * The event that a REST API of API Gateway passes to a function (proxy integration, payload 1.0). The body is text,
 * except for the content types that travel as Base64.
 *
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-lambda-proxy-integrations.html#api-gateway-simple-proxy-for-lambda-input-format
 *
 * @throws MalformedEncoding
 */
export function toProxyEvent(request: RawRequest): APIGatewayProxyEvent {
  const { method, target, requestId, nowMs } = request;
  const sourceIp = displayAddress(request.peerAddress);
  const headers = multiValueHeaders(request, sourceIp);
  const query = multiValueQuery(target);
  const path = pathOf(target);
  const isBytes = isBinary(sent(headers, 'content-type'));
  return {
    resource: request.resource,
    path,
    httpMethod: method,
    headers: lastValues(headers),
    multiValueHeaders: headers,
    queryStringParameters: query && lastValues(query),
    multiValueQueryStringParameters: query,
    pathParameters: Object.keys(request.pathParameters).length > 0 ? request.pathParameters : null,
    stageVariables: null,
    requestContext: {
      accountId: '000000000000',
      apiId: 'local',
      authorizer: null,
      protocol: 'HTTP/1.1',
      httpMethod: method,
      identity: {
        ...noIdentity,
        sourceIp,
        userAgent: sent(headers, 'user-agent') ?? null,
      },
      // As behind a custom domain: the host that the caller used, and no stage before the path.
      domainName: headers.Host?.at(-1) ?? headers.host?.at(-1) ?? 'localhost',
      path,
      stage: 'local',
      requestId,
      extendedRequestId: randomUUID(),
      requestTime: commonLogTime(nowMs),
      requestTimeEpoch: nowMs,
      resourceId: 'local',
      resourcePath: request.resource,
    },
    body: request.body.length > 0 ? request.body.toString(isBytes ? 'base64' : 'utf8') : null,
    isBase64Encoded: isBytes && request.body.length > 0,
  };
}

const noIdentity = {
  accessKey: null,
  accountId: null,
  apiKey: null,
  apiKeyId: null,
  caller: null,
  clientCert: null,
  cognitoAuthenticationProvider: null,
  cognitoAuthenticationType: null,
  cognitoIdentityId: null,
  cognitoIdentityPoolId: null,
  principalOrgId: null,
  user: null,
  userArn: null,
};

export const pathOf = (target: string): string => target.split('?', 1)[0] ?? '';

/** @throws MalformedEncoding */
export function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new MalformedEncoding();
  }
}

/** An IPv4 address mapped into IPv6 in its IPv4 form, and without a zone (`fe80::1%eth0`), as API Gateway shows it. */
function displayAddress(address: string | undefined): string {
  const [plain = ''] = (address ?? '').split('%', 1);
  return plain.startsWith('::ffff:') && plain.includes('.') ? plain.slice('::ffff:'.length) : plain;
}

/** API Gateway appends the peer to `X-Forwarded-For` and sets `X-Forwarded-Port` and `X-Forwarded-Proto`. */
function multiValueHeaders(request: RawRequest, sourceIp: string): Record<string, string[]> {
  const { rawHeaders } = request;
  const values = new Map<string, { name: string; values: string[] }>();
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const [name = '', value = ''] = rawHeaders.slice(i, i + 2);
    const known = values.get(name.toLowerCase());
    if (known) known.values.push(value);
    else values.set(name.toLowerCase(), { name, values: [value] });
  }
  const forwarded = values.get('x-forwarded-for')?.values ?? [];
  values.set('x-forwarded-for', { name: 'X-Forwarded-For', values: [[...forwarded, sourceIp].join(', ')] });
  values.set('x-forwarded-port', { name: 'X-Forwarded-Port', values: [String(request.port)] });
  values.set('x-forwarded-proto', { name: 'X-Forwarded-Proto', values: ['http'] });
  return Object.fromEntries([...values.values()].map((header) => [header.name, header.values]));
}

/** The decoded query; null when there is no parameter. */
function multiValueQuery(target: string): Record<string, string[]> | null {
  const query = target.slice(pathOf(target).length + 1);
  decode(query);
  const named = Map.groupBy(new URLSearchParams(query), ([name]) => name);
  if (named.size === 0) return null;
  return Object.fromEntries([...named].map(([name, pairs]) => [name, pairs.map(([, value]) => value)]));
}

function lastValues(multiValue: Record<string, string[]>): Record<string, string> {
  return Object.fromEntries(Object.entries(multiValue).map(([name, values]) => [name, values.at(-1) ?? '']));
}

function sent(headers: Record<string, string[]>, name: string): string | undefined {
  return Object.entries(headers)
    .find(([key]) => key.toLowerCase() === name)?.[1]
    .at(-1);
}

/** `10/Oct/2026:13:55:36 +0000`, as API Gateway writes `requestTime`. */
function commonLogTime(ms: number): string {
  const [, day, month, year, time] = new Date(ms).toUTCString().split(' ');
  return `${day}/${month}/${year}:${time} +0000`;
}
