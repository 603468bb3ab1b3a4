/**
 * The REST API as the OpenAPI 3.0.1 document that API Gateway imports: paths and methods cost a stack no
 * resource this way. What clients read is another, full document.
 *
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-swagger-extensions.html
 */
import type { Registered } from '../functions/routes.ts';
import { errorBody, gatewayErrors } from '../functions/shared/contract/errors.ts';
import { jsonType, originHeaders } from '../functions/shared/contract/headers.ts';
import { binaryTypes } from './binary.ts';
import { answerHeaders, gatewayResponses } from './gateway-responses.ts';
import { allowedMethods, hasCors, parameterNames, preflightHeaders, routesByPath } from './paths.ts';

export interface GatewayDocumentOptions {
  readonly title: string;
  readonly registry: readonly Registered[];
  /** Whose pages may call from a browser; `['*']` allows all. */
  readonly allowedOrigins: readonly string[];
  /** Where API Gateway invokes a function: `arn:aws:apigateway:{region}:lambda:path/.../invocations`. */
  readonly invocationUri: (registered: Registered) => string;
}

/** The document, ready for `SpecRestApi`. */
export function gatewayDocument(options: GatewayDocumentOptions) {
  const { title, registry, allowedOrigins } = options;
  return {
    openapi: '3.0.1',
    info: { title, version: '1' },
    paths: Object.fromEntries(
      [...routesByPath(registry)].map(([path, entries]) => [path, pathItem(path, entries, options)]),
    ),
    'x-amazon-apigateway-gateway-responses': gatewayResponses(allowedOrigins),
    'x-amazon-apigateway-binary-media-types': binaryTypes,
  };
}

function pathItem(path: string, entries: readonly Registered[], options: GatewayDocumentOptions) {
  const { registry, allowedOrigins, invocationUri } = options;
  const parameters = parameterNames(path).map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  const proxies = entries.map((entry) => [
    entry.route.method.toLowerCase(),
    proxy(entry, invocationUri(entry)),
  ]);
  return {
    ...(parameters.length > 0 && { parameters }),
    ...Object.fromEntries(proxies),
    ...(hasCors(path, registry) && {
      options: mock(204, preflightHeaders(path, undefined, allowedOrigins, registry), allowedOrigins),
    }),
    // Whatever is not listed above, `HEAD` too.
    'x-amazon-apigateway-any-method': methodNotAllowed(path, options),
  };
}

function methodNotAllowed(path: string, { registry, allowedOrigins }: GatewayDocumentOptions) {
  const origins = hasCors(path, registry) ? allowedOrigins : undefined;
  const headers = {
    'content-type': jsonType,
    allow: allowedMethods(path, registry).join(', '),
    ...(origins && originHeaders(undefined, origins)),
  };
  const row = gatewayErrors.method_not_allowed;
  return mock(row.status, headers, origins ?? [], JSON.stringify(errorBody(row)));
}

function proxy({ route }: Registered, uri: string) {
  return {
    responses: { [route.status ?? 200]: { description: route.summary } },
    'x-amazon-apigateway-integration': {
      type: 'aws_proxy',
      httpMethod: 'POST',
      uri,
      // The request goes to the function as it came; it checks content types itself.
      passthroughBehavior: 'when_no_match',
    },
  };
}

/**
 * Content types whose requests a mock answers; JSON also stands for a request that names none. Another one is
 * refused as 415 by API Gateway itself: letting it pass would make the mock read the body as its instructions.
 */
const mockedTypes = [
  'application/json',
  'application/x-www-form-urlencoded',
  'application/octet-stream',
  'application/xml',
  'multipart/form-data',
  'text/html',
  'text/plain',
  'text/xml',
];

/** An answer that API Gateway gives without a function. */
function mock(status: number, headers: Record<string, string>, allowedOrigins: readonly string[], body = '') {
  const sent = answerHeaders(headers);
  const declared = new Set([...Object.keys(sent), 'access-control-allow-origin']);
  return {
    responses: {
      [status]: {
        description: 'Answered by the gateway.',
        headers: Object.fromEntries([...declared].map((name) => [name, { schema: { type: 'string' } }])),
      },
    },
    'x-amazon-apigateway-integration': {
      type: 'mock',
      passthroughBehavior: 'never',
      requestTemplates: Object.fromEntries(mockedTypes.map((type) => [type, `{"statusCode":${status}}`])),
      responses: {
        default: {
          statusCode: String(status),
          // Text even to a request that accepts a binary type, for which it would be taken for Base64.
          contentHandling: 'CONVERT_TO_TEXT',
          responseParameters: Object.fromEntries(
            Object.entries(sent).map(([name, value]) => [`method.response.header.${name}`, value]),
          ),
          responseTemplates: { 'application/json': originTemplate(allowedOrigins) + body },
        },
      },
    },
  };
}

/**
 * Names the request's origin in the answer when it is one of those allowed, and none otherwise. A mapping
 * can only name a fixed origin, and an answer has room for one; so a template compares.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-override-request-response-parameters.html
 *
 * @param allowedOrigins checked before: only what an origin is made of, so that nothing ends the quotes.
 */
function originTemplate(allowedOrigins: readonly string[]): string {
  const named = allowedOrigins.filter((origin) => origin !== '*');
  if (named.length === 0) return '';
  return [
    // Browsers send `Origin` over HTTP/1.1 and `origin` over HTTP/2, and the map keeps what came.
    '#set($headers = $input.params().header)',
    '#set($origin = $headers.get("origin"))',
    '#if(!$origin || $origin == "")#set($origin = $headers.get("Origin"))#end',
    `#if(${named.map((origin) => `$origin == "${origin}"`).join(' || ')})`,
    '#set($context.responseOverride.header.access-control-allow-origin = $origin)',
    '#end',
    '',
  ].join('\n');
}
