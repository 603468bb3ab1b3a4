import { defined } from '../../../functions/shared/contract/defined.ts';
import {
  errorBody,
  type GatewayErrorCode,
  gatewayErrors,
} from '../../../functions/shared/contract/errors.ts';
import {
  alwaysHeaders,
  exposedHeaders,
  jsonType,
  transportHeaders,
} from '../../../functions/shared/contract/headers.ts';

/**
 * The responses of API Gateway when it invokes no function, or when a function gives no response.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/supported-gateway-response-types.html
 */
const errorOfType: Readonly<Record<string, GatewayErrorCode>> = {
  // API Gateway treats an unknown path as one that requires a signature and, with an `Authorization` header, as one
  // with a wrong signature. No route here is signed, so each of these means that the path does not exist.
  MISSING_AUTHENTICATION_TOKEN: 'not_found',
  INVALID_SIGNATURE: 'not_found',
  EXPIRED_TOKEN: 'not_found',
  RESOURCE_NOT_FOUND: 'not_found',
  REQUEST_TOO_LARGE: 'payload_too_large',
  BAD_REQUEST_BODY: 'invalid_request',
  BAD_REQUEST_PARAMETERS: 'invalid_request',
  THROTTLED: 'rate_limited',
  QUOTA_EXCEEDED: 'rate_limited',
  ACCESS_DENIED: 'forbidden',
  INVALID_API_KEY: 'forbidden',
  WAF_FILTERED: 'forbidden',
  API_CONFIGURATION_ERROR: 'server_error',
  INTEGRATION_FAILURE: 'bad_gateway',
  INTEGRATION_TIMEOUT: 'timeout',
};

/** Types that keep their status: a status of a default type would replace that of every other type. */
const bodyOfType: Readonly<Record<string, GatewayErrorCode>> = {
  UNSUPPORTED_MEDIA_TYPE: 'invalid_request',
  DEFAULT_4XX: 'invalid_request',
  DEFAULT_5XX: 'server_error',
};

/**
 * The `x-amazon-apigateway-gateway-responses`: every response with the body and the headers of the API's own errors.
 *
 * @param allowedOrigins origins whose pages may call the API from a browser.
 * @param publicUrl of the API, where it has a domain.
 */
export function gatewayResponses(
  allowedOrigins: readonly string[],
  publicUrl: string | undefined,
): Record<string, object> {
  const response = (code: GatewayErrorCode) => responseOf(code, allowedOrigins, transportHeaders(publicUrl));
  const withStatus = Object.entries(errorOfType).map(([type, code]) => [
    type,
    { statusCode: String(gatewayErrors[code].status), ...response(code) },
  ]);
  const withoutStatus = Object.entries(bodyOfType).map(([type, code]) => [type, response(code)]);
  return Object.fromEntries([...withStatus, ...withoutStatus]);
}

function responseOf(
  code: GatewayErrorCode,
  allowedOrigins: readonly string[],
  transport: Readonly<Record<string, string>>,
) {
  const row = gatewayErrors[code];
  const mapped = responseHeaders({
    'content-type': jsonType,
    // The throttle counts by the second.
    ...defined({ 'retry-after': row.status === 429 ? '1' : undefined }),
    ...corsHeaders(allowedOrigins),
    ...transport,
  });
  // The access log contains the request's id, and with it what went wrong.
  const headers = row.status >= 500 ? { ...mapped, 'x-audit-id': 'context.requestId' } : mapped;
  return {
    responseParameters: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [`gatewayresponse.header.${name}`, value]),
    ),
    responseTemplates: { 'application/json': JSON.stringify(errorBody(row)) },
  };
}

/** Headers as parameter mappings, with those of every response: literals are quoted, the request's id is filled in. */
export function responseHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const literals = { ...headers, ...alwaysHeaders };
  const quoted = Object.entries(literals).map(([name, value]) => [name, `'${value}'`]);
  return { ...Object.fromEntries(quoted), 'x-request-id': 'context.requestId' };
}

/**
 * Lets a page read these fixed texts if it may call the API at all. A gateway response cannot compare origins as the
 * template of a mock does. With several allowed origins it says `*`, which reveals nothing: every client without a
 * browser receives the same text.
 */
export function corsHeaders(allowedOrigins: readonly string[]): Record<string, string> {
  const [first, ...others] = allowedOrigins;
  if (first === undefined) return {};
  return {
    'access-control-allow-origin': others.length === 0 ? first : '*',
    ...exposedHeaders,
  };
}
