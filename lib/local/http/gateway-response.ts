import { defined } from '../../../functions/shared/contract/defined.ts';
import {
  errorBody,
  type GatewayErrorCode,
  gatewayErrors,
} from '../../../functions/shared/contract/errors.ts';
import { alwaysHeaders, jsonType } from '../../../functions/shared/contract/headers.ts';
import { corsHeaders } from '../../deployment/gateway/gateway-responses.ts';
import type { RawResponse } from './proxy-result.ts';

/** The request gets an error in the common shape, with its own text, details and headers. */
export class Refusal extends Error {
  readonly code: GatewayErrorCode;
  readonly own: Partial<{
    message: string;
    details: Record<string, unknown>;
    headers: Record<string, string>;
  }>;

  constructor(code: GatewayErrorCode, own: Refusal['own'] & ErrorOptions = {}) {
    super(code, own);
    this.code = code;
    this.own = own;
  }
}

/** The headers of every response that does not come from a handler. */
export function commonHeaders(requestId: string): Record<string, string> {
  return {
    ...alwaysHeaders,
    'x-request-id': requestId,
  };
}

export function jsonResponse(
  status: number,
  body: unknown,
  requestId: string,
  headers: Record<string, string> = {},
): RawResponse {
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

export function gatewayResponse(
  code: GatewayErrorCode,
  requestId: string,
  allowedOrigins: readonly string[],
  headers: Record<string, string> = {},
): RawResponse {
  const row = gatewayErrors[code];
  return jsonResponse(row.status, errorBody(row), requestId, {
    ...defined({ 'x-audit-id': row.status >= 500 ? requestId : undefined }),
    ...corsHeaders(allowedOrigins),
    ...headers,
  });
}

/** The response as bytes of HTTP/1.1, for a connection whose request could not be parsed. It closes the connection. */
export function serializeResponse(response: RawResponse): Buffer {
  const head = [
    `HTTP/1.1 ${response.status} Error`,
    ...Object.entries(response.headers).map(([name, value]) => `${name}: ${value}`),
    `content-length: ${response.body.length}`,
    'connection: close',
  ];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), response.body]);
}
