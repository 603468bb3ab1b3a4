/**
 * The REST API as the OpenAPI 3.0.1 document that API Gateway imports, so that paths and methods are no resources of
 * the stack. Clients read another, complete document.
 *
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-swagger-extensions.html
 */
import type { Registered } from '../../../functions/routes.ts';
import { defined } from '../../../functions/shared/contract/defined.ts';
import { errorBody, gatewayErrors } from '../../../functions/shared/contract/errors.ts';
import { jsonType, originHeaders, transportHeaders } from '../../../functions/shared/contract/headers.ts';
import { parameterNames } from '../../openapi/paths.ts';
import { binaryTypes } from './binary-types.ts';
import { gatewayResponses, responseHeaders } from './gateway-responses.ts';
import { ownFileMethods, ownFiles } from './own-files.ts';
import { allowedMethods, hasCors, methodsOf, preflightHeaders, routesByPath } from './paths.ts';
import { textTemplate, unknownPath, unknownPathResponses, unknownPathTemplate } from './unknown-path.ts';

export interface GatewayDocumentOptions {
  readonly title: string;
  readonly registry: readonly Registered[];
  /** The path before those of the API, without a trailing slash: `/prod`, or empty with a domain. */
  readonly basePath: string;
  /** The URL of the API, where it has a domain. */
  readonly publicUrl?: string;
  /** Origins whose pages may call the API from a browser; `['*']` allows all. */
  readonly allowedOrigins: readonly string[];
  /** The URI that API Gateway invokes a function by: `arn:aws:apigateway:{region}:lambda:path/.../invocations`. */
  readonly invocationUri: (registered: Registered) => string;
  /** ARN of the role that API Gateway assumes to invoke the functions. */
  readonly credentials: string;
  /** The placeholder of a text that every path repeats; by default the text itself. */
  readonly repeated?: (name: RepeatedText, text: string) => string;
}

/** The texts that many paths have. Written out, they are a sixth of a large document. */
export type RepeatedText = 'AllowedHeaders' | 'MethodNotAllowed' | 'MethodNotAllowedToOrigins' | 'Mock';

/** The document, ready for `SpecRestApi`. */
export function gatewayDocument(options: GatewayDocumentOptions) {
  const { title, registry, allowedOrigins, publicUrl } = options;
  const resources = [...routesByPath(registry)].map(([path, entries]) => [
    path,
    pathItem(path, entries, options),
  ]);
  const unknown = unknownPathItem(options);
  return {
    openapi: '3.0.1',
    info: { title, version: '1' },
    paths: Object.fromEntries([
      ...resources,
      // API Gateway prefers every other path that matches.
      [unknownPath, { parameters: pathParameters(unknownPath), get: unknown }],
      ...pathsAbovePages(registry).map((path) => [path, { get: unknown }]),
      ...Object.entries(ownFiles).map(([path, { type, text }]) => [path, ownFileItem(type, text, publicUrl)]),
    ]),
    'x-amazon-apigateway-gateway-responses': gatewayResponses(allowedOrigins, publicUrl),
    'x-amazon-apigateway-binary-media-types': binaryTypes,
  };
}

function pathItem(path: string, entries: readonly Registered[], options: GatewayDocumentOptions) {
  const { registry, allowedOrigins, invocationUri, credentials, repeated = itself } = options;
  const proxies = entries.flatMap((entry) =>
    methodsOf(entry.route).map((method) => [
      method.toLowerCase(),
      proxy(entry, invocationUri(entry), credentials),
    ]),
  );
  const preflight = hasCors(path, registry)
    ? mock(
        204,
        preflightHeaders(path, undefined, allowedOrigins, registry),
        { template: originTemplate(allowedOrigins), overrides: originOverrides(allowedOrigins) },
        {
          // A preflight has no body: https://fetch.spec.whatwg.org/#cors-preflight-fetch
          types: [withoutType],
          mapping: (name, value) =>
            name === 'access-control-allow-headers' ? repeated('AllowedHeaders', value) : value,
        },
      )
    : undefined;
  return {
    ...defined({ parameters: pathParameters(path), options: preflight }),
    ...Object.fromEntries(proxies),
    // Every method that is not listed above.
    'x-amazon-apigateway-any-method': methodNotAllowed(path, options),
  };
}

function methodNotAllowed(
  path: string,
  { registry, allowedOrigins, repeated = itself }: GatewayDocumentOptions,
) {
  const origins = hasCors(path, registry) ? allowedOrigins : undefined;
  const headers = {
    'content-type': jsonType,
    allow: allowedMethods(path, registry).join(', '),
    ...(origins && originHeaders(undefined, origins)),
  };
  const row = gatewayErrors.method_not_allowed;
  const template = originTemplate(origins ?? []) + JSON.stringify(errorBody(row));
  const body = {
    template: repeated(origins ? 'MethodNotAllowedToOrigins' : 'MethodNotAllowed', template),
    overrides: originOverrides(origins ?? []),
  };
  return mock(row.status, headers, body, { instructions: repeated('Mock', mockInstructions(row.status)) });
}

/**
 * GET of an unknown path: a page or JSON. Other methods get the gateway response for a path that does not exist, which
 * cannot depend on `Accept`; no page leads to them.
 */
function unknownPathItem({ basePath, allowedOrigins, publicUrl }: GatewayDocumentOptions) {
  const responses = unknownPathResponses(basePath, allowedOrigins);
  return mock(
    responses.status,
    { ...responses.headers, ...transportHeaders(publicUrl) },
    {
      template: unknownPathTemplate(responses),
      overrides: Object.keys(responses.page.headers),
    },
  );
}

function ownFileItem(type: string, text: string, publicUrl: string | undefined) {
  const headers = { 'content-type': type, ...transportHeaders(publicUrl) };
  const body = { template: textTemplate(text), overrides: [] };
  const file = mock(200, headers, body, { types: [withoutType] });
  return Object.fromEntries(ownFileMethods.map((method) => [method.toLowerCase(), file]));
}

/**
 * The first segments of the paths of pages that are no page themselves: `/oauth` of `/oauth/authorize/consent`, to which a
 * reader may shorten an address. API Gateway has a resource for each, which matches its path before the one for unknown
 * paths does. Other paths that only lead to operations keep the gateway response: each page is 6 KB of the template.
 */
function pathsAbovePages(registry: readonly Registered[]): string[] {
  const known = routesByPath(registry);
  const pages = [...known].filter(([, entries]) =>
    entries.some(({ route }) => route.produces?.startsWith('text/html')),
  );
  const above = new Set(pages.map(([path]) => `/${path.split('/')[1]}`));
  return [...above].filter((path) => !known.has(path));
}

/** The parameters of a path; undefined when it has none. */
function pathParameters(path: string) {
  const names = parameterNames(path);
  if (names.length === 0) return undefined;
  return names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }));
}

function proxy({ route }: Registered, uri: string, credentials: string) {
  return {
    responses: { [route.status ?? 200]: { description } },
    // The function receives the request unchanged, whatever its content type, and checks that itself.
    'x-amazon-apigateway-integration': { type: 'aws_proxy', httpMethod: 'POST', uri, credentials },
  };
}

/** OpenAPI requires one of each response. API Gateway shows it nowhere, and the template repeats it hundreds of times. */
const description = 'Reply';

/** The type as which API Gateway treats a request without one. */
const withoutType = 'application/json';

/**
 * Content types of requests that a mock responds to. API Gateway itself refuses any other type with 415: passed through,
 * the mock would read the body as its instructions.
 */
const mockedTypes = [
  withoutType,
  'application/x-www-form-urlencoded',
  'application/octet-stream',
  'application/xml',
  'multipart/form-data',
  'text/plain',
  'text/xml',
];

interface MockedBody {
  /** The body, as a template of Velocity. */
  readonly template: string;
  readonly overrides: readonly string[];
}

type MockOptions = Partial<{
  /** Content types of the requests. */
  readonly types: readonly string[];
  /** The placeholder of the instructions of the mock. */
  readonly instructions: string;
  /** The placeholder of the mapping of a header. */
  readonly mapping: (name: string, value: string) => string;
}>;

/** A mock gives the response of a status. */
const mockInstructions = (status: number) => `{"statusCode":${status}}`;

const itself = (_name: RepeatedText, text: string): string => text;

/** A response that API Gateway gives without invoking a function. */
function mock(
  status: number,
  headers: Readonly<Record<string, string>>,
  { template, overrides }: MockedBody,
  {
    types = mockedTypes,
    instructions = mockInstructions(status),
    mapping = (_name, value) => value,
  }: MockOptions = {},
) {
  const mapped = responseHeaders(headers);
  const declared = new Set([...Object.keys(mapped), ...overrides]);
  return {
    responses: {
      [status]: {
        description,
        headers: Object.fromEntries([...declared].map((name) => [name, { schema: { type: 'string' } }])),
      },
    },
    'x-amazon-apigateway-integration': {
      type: 'mock',
      passthroughBehavior: 'never',
      requestTemplates: Object.fromEntries(types.map((type) => [type, instructions])),
      responses: {
        default: {
          statusCode: String(status),
          // Text even for a request that accepts a binary type: the body would be decoded as Base64 otherwise.
          contentHandling: 'CONVERT_TO_TEXT',
          responseParameters: Object.fromEntries(
            Object.entries(mapped).map(([name, value]) => [
              `method.response.header.${name}`,
              mapping(name, value),
            ]),
          ),
          // The one template serves every `Accept`: API Gateway takes this one when none matches.
          responseTemplates: { 'application/json': template },
        },
      },
    },
  };
}

/**
 * Sets the origin of the request in the response when it is an allowed one. A parameter mapping can set only one fixed
 * origin, and a response has only one, so a template compares them.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-override-request-response-parameters.html
 *
 * @param allowedOrigins validated by `checkOrigins`, so that no character ends the quotes.
 */
function originTemplate(allowedOrigins: readonly string[]): string {
  const origins = comparedOrigins(allowedOrigins);
  if (origins.length === 0) return '';
  return [
    // Browsers send `Origin` over HTTP/1.1 and `origin` over HTTP/2, and the map keeps the case.
    '#set($headers = $input.params().header)',
    '#set($origin = $headers.get("origin"))',
    '#if(!$origin || $origin == "")#set($origin = $headers.get("Origin"))#end',
    `#if(${origins.map((origin) => `$origin == "${origin}"`).join(' || ')})`,
    '#set($context.responseOverride.header.access-control-allow-origin = $origin)',
    '#end',
    '',
  ].join('\n');
}

/** The header that {@link originTemplate} sets, if it sets one. */
function originOverrides(allowedOrigins: readonly string[]): readonly string[] {
  return comparedOrigins(allowedOrigins).length === 0 ? [] : ['access-control-allow-origin'];
}

const comparedOrigins = (allowedOrigins: readonly string[]) =>
  allowedOrigins.filter((origin) => origin !== '*');
