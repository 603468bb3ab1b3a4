import { errorBody, type GatewayErrorCode, gatewayErrors } from '../../functions/shared/contract/errors.ts';
import { alwaysHeaders, jsonType } from '../../functions/shared/contract/headers.ts';
import { corsHeaders } from '../gateway-responses.ts';
import type { RawAnswer } from './results.ts';

/** What every answer carries that no handler gave. */
export function commonHeaders(requestId: string): Record<string, string> {
  return {
    ...alwaysHeaders,
    'x-request-id': requestId,
  };
}

/** JSON with the common headers. */
export function jsonAnswer(
  status: number,
  body: unknown,
  requestId: string,
  headers: Record<string, string> = {},
): RawAnswer {
  return {
    status,
    headers: {
      'content-type': jsonType,
      ...commonHeaders(requestId),
      ...headers,
    },
    body: Buffer.from(JSON.stringify(body)),
  };
}

/**
 * What API Gateway answers itself, as its gateway responses are set.
 *
 * @param allowedOrigins whose pages may read it.
 */
export function gatewayAnswer(
  code: GatewayErrorCode,
  requestId: string,
  allowedOrigins: readonly string[],
  headers: Record<string, string> = {},
): RawAnswer {
  const row = gatewayErrors[code];
  return jsonAnswer(row.status, errorBody(row), requestId, {
    ...(row.status >= 500 && { 'x-audit-id': requestId }),
    ...corsHeaders(allowedOrigins),
    ...headers,
  });
}

/** The answer as bytes of HTTP/1.1, for a connection whose request could not be parsed; it ends there. */
export function rawBytes(answer: RawAnswer): Buffer {
  const head = [
    `HTTP/1.1 ${answer.status} Error`,
    ...Object.entries(answer.headers).map(([name, value]) => `${name}: ${value}`),
    `content-length: ${answer.body.length}`,
    'connection: close',
  ];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), answer.body]);
}
