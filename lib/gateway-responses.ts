import { errorBody, type GatewayErrorCode, gatewayErrors } from '../functions/shared/contract/errors.ts';
import { alwaysHeaders, exposedHeaders, jsonType } from '../functions/shared/contract/headers.ts';

/**
 * What API Gateway answers when no function was asked, or none answered.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/supported-gateway-response-types.html
 */
const errorOfType: Readonly<Record<string, GatewayErrorCode>> = {
  // An unknown path is taken for one that wants a signature; with an `Authorization` header, for a wrong one.
  // No route here is signed, so all of these mean that there is no such path.
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

/** Types that keep the status they come with: for the defaults, one here would replace that of every type. */
const bodyOfType: Readonly<Record<string, GatewayErrorCode>> = {
  UNSUPPORTED_MEDIA_TYPE: 'invalid_request',
  DEFAULT_4XX: 'invalid_request',
  DEFAULT_5XX: 'server_error',
};

/**
 * The `x-amazon-apigateway-gateway-responses`: every answer in the shape of ours, with the headers of ours.
 *
 * @param allowedOrigins of the routes that browsers call.
 */
export function gatewayResponses(allowedOrigins: readonly string[]): Record<string, object> {
  const withStatus = Object.entries(errorOfType).map(([type, code]) => [
    type,
    { statusCode: String(gatewayErrors[code].status), ...response(code, allowedOrigins) },
  ]);
  const withoutStatus = Object.entries(bodyOfType).map(([type, code]) => [
    type,
    response(code, allowedOrigins),
  ]);
  return Object.fromEntries([...withStatus, ...withoutStatus]);
}

function response(code: GatewayErrorCode, allowedOrigins: readonly string[]) {
  const row = gatewayErrors[code];
  const headers = {
    ...answerHeaders({
      'content-type': jsonType,
      // The throttle counts by the second.
      ...(row.status === 429 && { 'retry-after': '1' }),
      ...readableBy(allowedOrigins),
    }),
    // The access log has the request's id, and with it what went wrong.
    ...(row.status >= 500 && { 'x-audit-id': 'context.requestId' }),
  };
  return {
    responseParameters: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [`gatewayresponse.header.${name}`, value]),
    ),
    responseTemplates: { 'application/json': JSON.stringify(errorBody(row)) },
  };
}

/**
 * Headers as parameter mappings, with those that every answer has: literals are quoted, the request's id is
 * filled in.
 */
export function answerHeaders(headers: Record<string, string>): Record<string, string> {
  const literals = { ...headers, ...alwaysHeaders };
  const quoted = Object.entries(literals).map(([name, value]) => [name, `'${value}'`]);
  return { ...Object.fromEntries(quoted), 'x-request-id': 'context.requestId' };
}

/**
 * A page may read these fixed texts if it may call the API at all. A gateway response cannot compare origins
 * as a mock's template does; with several allowed it says `*`, which gives nothing away: the same text goes to
 * whoever asks without a browser.
 */
export function readableBy(allowedOrigins: readonly string[]): Record<string, string> {
  const [first, ...others] = allowedOrigins;
  if (first === undefined) return {};
  return {
    'access-control-allow-origin': others.length === 0 ? first : '*',
    ...exposedHeaders,
  };
}
