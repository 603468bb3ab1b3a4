/** The response to GET of an unknown path, deployed and local: a page to browsers, JSON to everyone else. */
import { errorBody, gatewayErrors } from '../../../functions/shared/contract/errors.ts';
import { jsonType } from '../../../functions/shared/contract/headers.ts';
import { type RenderedPage, unknownPathPage } from '../../../functions/shared/html/unknown-path.ts';
import { corsHeaders } from './gateway-responses.ts';

/**
 * The path that API Gateway matches when no other path does.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-method-settings-method-request.html#api-gateway-proxy-resource
 */
export const unknownPath = '/{proxy+}';

/**
 * The throttle of unknown paths for all callers together. Scanners ask for hundreds of paths, and each
 * response is billed as a request.
 */
export const unknownPathThrottle = { ratePerSecond: 50, burst: 100 } as const;

/** Both responses to an unknown path. They have the same status. */
export interface UnknownPathResponses {
  readonly status: number;
  /** The headers of the JSON, beside those of every response. */
  readonly headers: Readonly<Record<string, string>>;
  readonly json: string;
  /** Its headers replace those of the JSON, or are added to them. */
  readonly page: RenderedPage;
}

/**
 * @param basePath the path before those of the API, without a trailing slash: empty, or `/prod`.
 * @param allowedOrigins origins whose pages may read the response.
 */
export function unknownPathResponses(
  basePath: string,
  allowedOrigins: readonly string[],
): UnknownPathResponses {
  const row = gatewayErrors.not_found;
  return {
    status: row.status,
    headers: { 'content-type': jsonType, ...corsHeaders(allowedOrigins) },
    json: JSON.stringify(errorBody(row)),
    page: unknownPathPage(basePath),
  };
}

/**
 * The template of API Gateway (Velocity) that selects one of the two by the request's `Accept`.
 *
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-override-request-response-parameters.html
 */
export function unknownPathTemplate({ page, json }: UnknownPathResponses): string {
  return [
    // Browsers send `Accept` over HTTP/1.1 and `accept` over HTTP/2, and the map keeps the case.
    '#set($headers = $input.params().header)',
    '#set($accept = $headers.get("accept"))',
    '#if(!$accept || $accept == "")',
    '#set($accept = $headers.get("Accept"))',
    '#end',
    ...literalVariables,
    '#if($accept && $accept.contains("text/html"))',
    ...Object.entries(page.headers).map(
      ([name, value]) => `#set($context.responseOverride.header.${name} = "${value}")`,
    ),
    literal(page.html.trimEnd()),
    '#else',
    literal(json),
    '#end',
    '',
  ].join('\n');
}

export const textTemplate = (text: string): string => [...literalVariables, literal(text)].join('\n');

const literalVariables = ["#set($hash = '#')", "#set($dollar = '$')"];
const variableOf: Readonly<Record<string, string>> = { '#': 'hash', $: 'dollar' };

/** Text as Velocity renders it unchanged: the characters that begin directives and references are variables. */
function literal(text: string): string {
  return text.replaceAll(/[#$]/g, (character) => `\${${variableOf[character]}}`);
}
