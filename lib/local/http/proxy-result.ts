import { validateHeaderName, validateHeaderValue } from 'node:http';
import { maxResultBytes } from '../../../functions/shared/contract/route.ts';
import { acceptsBinary } from '../../deployment/gateway/binary-types.ts';

/** A response as sent over the connection. */
export interface RawResponse {
  status: number;
  headers: Record<string, string | string[]>;
  body: Buffer;
}

/** The result of a handler is malformed: API Gateway responds with 502. */
export class MalformedProxyResult extends Error {}

const resultFields = new Set(['statusCode', 'headers', 'multiValueHeaders', 'body', 'isBase64Encoded']);

/**
 * The response that API Gateway sends for a handler's result. The result passes through JSON, as between Lambda and API
 * Gateway.
 *
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-lambda-proxy-integrations.html#api-gateway-simple-proxy-for-lambda-output-format
 *
 * @param accept the `Accept` header of the request: it decides whether Base64 is decoded.
 * @throws MalformedProxyResult with the reason as its message.
 */
export function toRawResponse(result: unknown, accept: string | undefined): RawResponse {
  const { statusCode, headers, multiValueHeaders, body, isBase64Encoded } = asResult(result);
  if (!Number.isInteger(statusCode) || Number(statusCode) < 200 || Number(statusCode) > 599) {
    throw new MalformedProxyResult('statusCode is no HTTP status');
  }
  if (body !== undefined && body !== null && typeof body !== 'string')
    throw new MalformedProxyResult('body is no string');
  if (isBase64Encoded !== undefined && typeof isBase64Encoded !== 'boolean') {
    throw new MalformedProxyResult('isBase64Encoded is no boolean');
  }
  return {
    status: Number(statusCode),
    headers: { ...proxyResultHeaders(headers, asText), ...proxyResultHeaders(multiValueHeaders, asTexts) },
    body: Buffer.from(body ?? '', isBase64Encoded && acceptsBinary(accept) ? 'base64' : 'utf8'),
  };
}

function asResult(result: unknown): Record<string, unknown> {
  let text: string | undefined;
  try {
    text = JSON.stringify(result);
  } catch {
    throw new MalformedProxyResult('the result is not JSON');
  }
  if (text === undefined) throw new MalformedProxyResult('there is no result');
  if (Buffer.byteLength(text) > maxResultBytes) throw new MalformedProxyResult('the result is over 6 MB');
  const parsed: unknown = JSON.parse(text);
  if (typeof parsed !== 'object' || parsed === null)
    throw new MalformedProxyResult('the result is no object');
  const unknown = Object.keys(parsed).find((name) => !resultFields.has(name));
  if (unknown !== undefined) throw new MalformedProxyResult(`the result has an unknown field ${unknown}`);
  return parsed as Record<string, unknown>;
}

/** Headers that the server sets itself, from what it sends. */
const ownHeaders = new Set(['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding']);

/** Names in lower case: a header of both `headers` and `multiValueHeaders` is sent once. */
function proxyResultHeaders<T extends string | string[]>(
  headers: unknown,
  convert: (name: string, value: unknown) => T,
): Record<string, T> {
  if (headers === undefined || headers === null) return {};
  if (typeof headers !== 'object' || Array.isArray(headers))
    throw new MalformedProxyResult('headers are no object');
  return Object.fromEntries(
    Object.entries(headers)
      .map(([name, value]) => [name.toLowerCase(), convert(name, value)] as const)
      .filter(([name]) => !ownHeaders.has(name)),
  );
}

function asText(name: string, value: unknown): string {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') {
    throw new MalformedProxyResult(`the header ${name} is no text`);
  }
  try {
    validateHeaderName(name);
    validateHeaderValue(name, String(value));
  } catch {
    throw new MalformedProxyResult(`the header ${name} cannot be sent`);
  }
  return String(value);
}

function asTexts(name: string, value: unknown): string[] {
  if (!Array.isArray(value))
    throw new MalformedProxyResult(`the header ${name} of multiValueHeaders is no list`);
  return value.map((one) => asText(name, one));
}
