import { Validator } from '@seriousme/openapi-schema-validator';
import { registeredRoutes } from '../../../../../functions/routes.ts';
import { defined } from '../../../../../functions/shared/contract/defined.ts';
import { gatewayErrors } from '../../../../../functions/shared/contract/errors.ts';
import { gatewayDocument } from '../../../../../lib/deployment/gateway/gateway-document.ts';
import { ownFiles } from '../../../../../lib/deployment/gateway/own-files.ts';
import { allowedMethods, hasCors, methodsOf } from '../../../../../lib/deployment/gateway/paths.ts';
import { unknownPathResponses } from '../../../../../lib/deployment/gateway/unknown-path.ts';
import { pathsOf } from '../../../../../lib/openapi/paths.ts';
import { renderedTemplate } from '../../../../support/deployment/velocity.ts';
import { onlyIf } from '../../../../support/only-if.ts';

const registry = registeredRoutes();

// biome-ignore lint/suspicious/noExplicitAny: tests read documents of any shape.
type Json = any;

const documents = new Map<string, Json>();

/** Made once for each list of origins; no test changes it. */
function document(allowedOrigins: string[] = ['*']): Json {
  const key = allowedOrigins.join();
  const made = documents.get(key) ?? newDocument(allowedOrigins);
  documents.set(key, made);
  return made;
}

function newDocument(allowedOrigins: string[], publicUrl?: string): Json {
  return gatewayDocument({
    title: 'test',
    registry,
    basePath: '/prod',
    allowedOrigins,
    invocationUri: ({ id }) => `arn:aws:apigateway:eu-west-1:lambda:path/${id}/invocations`,
    credentials: 'arn:aws:iam::111111111111:role/invoke',
    ...defined({ publicUrl }),
  });
}

const integration = (operation: Json): Json => operation['x-amazon-apigateway-integration'];
const mockAnswer = (operation: Json): Json => integration(operation).responses.default;
const mapped = (operation: Json, name: string): string =>
  mockAnswer(operation).responseParameters[`method.response.header.${name}`];

/** The headers of every response, of functions and of the gateway, as parameter mappings. */
const commonHeaders = {
  'cache-control': "'no-store'",
  'x-content-type-options': "'nosniff'",
  'x-request-id': 'context.requestId',
};

test('the document is valid OpenAPI 3.0, the only version that API Gateway imports', async () => {
  const outcome = await new Validator().validate(newDocument(['*']));
  expect(outcome.errors).toBeUndefined();
  expect(outcome.valid).toBe(true);
  expect(document().openapi).toBe('3.0.1');
});

test('where the API has a domain, browsers are told to use https alone, on the responses of the gateway too', () => {
  const domain = newDocument(['*'], 'https://api.example.com');
  const without = document();
  const name = 'gatewayresponse.header.strict-transport-security';
  const gatewayResponses = (one: Json): Json[] => Object.values(one['x-amazon-apigateway-gateway-responses']);
  for (const { responseParameters } of gatewayResponses(domain))
    expect(responseParameters[name]).toBe("'max-age=31536000'");
  for (const { responseParameters } of gatewayResponses(without))
    expect(responseParameters).not.toHaveProperty([name]);
  expect(mapped(domain.paths['/{proxy+}'].get, 'strict-transport-security')).toBe("'max-age=31536000'");
});

test.each(registry)(
  '$route.method $route.path invokes its own function with the unchanged request, as the role of the API',
  (entry) => {
    const places = pathsOf(entry.route).flatMap((path) =>
      methodsOf(entry.route).map((method) => [path, method.toLowerCase()] as const),
    );
    for (const [path, method] of places) {
      const operation = document().paths[path][method];
      expect(integration(operation)).toMatchObject({ type: 'aws_proxy', httpMethod: 'POST' });
      expect(integration(operation).uri).toContain(`/${entry.id}/`);
      expect(integration(operation).credentials).toBe('arn:aws:iam::111111111111:role/invoke');
    }
  },
);

describe.each([...new Set(registry.flatMap(({ route }) => pathsOf(route)))])('%s', (path) => {
  const any = document().paths[path]['x-amazon-apigateway-any-method'];

  test('responds to every other method with 405, its JSON body and the methods of the path', () => {
    expect(integration(any).type).toBe('mock');
    expect(mockAnswer(any).statusCode).toBe('405');
    // Bytes would be decoded as Base64, and a body of another type read as instructions.
    expect(mockAnswer(any).contentHandling).toBe('CONVERT_TO_TEXT');
    expect(integration(any).passthroughBehavior).toBe('never');
    for (const type of ['application/json', 'text/plain', 'multipart/form-data'])
      expect(JSON.parse(integration(any).requestTemplates[type])).toEqual({ statusCode: 405 });
    expect(mapped(any, 'allow')).toBe(`'${allowedMethods(path).join(', ')}'`);
    expect(mapped(any, 'content-type')).toBe("'application/json; charset=utf-8'");
    for (const [name, value] of Object.entries(commonHeaders)) expect(mapped(any, name)).toBe(value);
    const { status, ...body } = gatewayErrors.method_not_allowed;
    expect(JSON.parse(mockAnswer(any).responseTemplates['application/json'])).toEqual(body);
  });

  test('declares every header that it maps, without which the import fails', () => {
    for (const operation of [any, document().paths[path].options].filter(Boolean)) {
      const { statusCode, responseParameters } = mockAnswer(operation);
      const declared = Object.keys(operation.responses[statusCode].headers);
      for (const name of Object.keys(responseParameters)) expect(declared).toContain(name.split('.').at(-1));
    }
  });

  onlyIf(!hasCors(path))('has no preflight when browsers of other origins may not call it', () => {
    expect(document().paths[path]).not.toHaveProperty('options');
  });

  onlyIf(hasCors(path))('allows every origin in a preflight when all are allowed', () => {
    const { options } = document(['*']).paths[path];
    expect(mapped(options, 'access-control-allow-origin')).toBe("'*'");
    expect(mockAnswer(options).responseTemplates['application/json']).toBe('');
    expect(mockAnswer(options).statusCode).toBe('204');
  });

  onlyIf(hasCors(path))('allows the origin of a preflight only when it equals an allowed one', () => {
    const { options } = document(['https://a.example', 'https://b.example']).paths[path];
    expect(mockAnswer(options).responseParameters).not.toHaveProperty(
      'method.response.header.access-control-allow-origin',
    );
    expect(mapped(options, 'vary')).toBe("'origin'");
    const template: string = mockAnswer(options).responseTemplates['application/json'];
    const reflect = '#set($context.responseOverride.header.access-control-allow-origin = $origin)';
    expect(template.split('\n')).toEqual([
      '#set($headers = $input.params().header)',
      '#set($origin = $headers.get("origin"))',
      '#if(!$origin || $origin == "")#set($origin = $headers.get("Origin"))#end',
      '#if($origin == "https://a.example" || $origin == "https://b.example")',
      reflect,
      '#end',
      '',
    ]);
  });

  onlyIf(hasCors(path))('allows no origin when none is configured', () => {
    expect(JSON.stringify(document([]).paths[path])).not.toMatch(/'\*'|responseOverride/);
  });
});

describe('GET of an unknown path', () => {
  const paths: Record<string, Json> = document().paths;
  const { get, ...others } = paths['/{proxy+}'];
  const { page, json } = unknownPathResponses('/prod', ['*']);

  test('is matched when nothing else is, and by the first segment of the path of a page', () => {
    expect(others).toEqual({
      parameters: [{ name: 'proxy', in: 'path', required: true, schema: { type: 'string' } }],
    });
    for (const path of ['/oauth', '/checkout']) expect(paths[path]).toEqual({ get });
    const variables = Object.keys(paths).filter((path) => /^\/\{[^}]+\}$/.test(path));
    expect(variables, 'API Gateway allows one variable below a path').toEqual(['/{proxy+}']);
  });

  test.each([
    { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' },
    { accept: 'text/html' },
    { accept: 'application/json, text/html;q=0.5' },
  ])('is answered with the page to a browser that sends %o', (headers) => {
    const rendered = renderedTemplate(mockAnswer(get).responseTemplates['application/json'], headers);
    expect(rendered.body.trim()).toBe(page.html.trim());
    expect(rendered.overrides).toEqual(page.headers);
  });

  test.each([{}, { accept: '' }, { accept: '*/*' }, { Accept: 'application/json' }])(
    'is answered with the JSON of the gateway to a program that sends %o',
    (headers) => {
      const rendered = renderedTemplate(mockAnswer(get).responseTemplates['application/json'], headers);
      expect(rendered.body.trim()).toBe(json);
      expect(rendered.overrides).toEqual({});
      const gateway = document()['x-amazon-apigateway-gateway-responses'].MISSING_AUTHENTICATION_TOKEN;
      expect(json).toBe(gateway.responseTemplates['application/json']);
      for (const [name, value] of Object.entries(gateway.responseParameters)) {
        expect(mapped(get, name.replace('gatewayresponse.header.', '')), name).toBe(value);
      }
    },
  );

  test('declares every header that it maps or overrides, without which the import fails', () => {
    const declared = Object.keys(get.responses['404'].headers);
    const mappedNames = Object.keys(mockAnswer(get).responseParameters).map((name) => name.split('.').at(-1));
    expect(declared).toEqual(expect.arrayContaining([...mappedNames, ...Object.keys(page.headers)]));
  });

  test('links to pages below the stage, and to nothing else', () => {
    const targets = [...page.html.matchAll(/(?:href|src|action)="(?!data:)([^"]*)"/g)].map(
      ([, target]) => target,
    );
    expect(targets).toEqual(['/prod/', '/prod/docs']);
  });
});

test.each(Object.entries(ownFiles))(
  '%s, which browsers and phones ask for by themselves, is answered without a function',
  (path, { type, text }) => {
    for (const method of ['get', 'head']) {
      const operation = document().paths[path][method];
      expect(integration(operation).type).toBe('mock');
      expect(mockAnswer(operation).statusCode).toBe('200');
      expect(mapped(operation, 'content-type')).toBe(`'${type}'`);
      expect(renderedTemplate(mockAnswer(operation).responseTemplates['application/json'], {})).toEqual({
        body: text,
        overrides: {},
      });
    }
  },
);

describe("API Gateway's own responses", () => {
  const responses: Record<string, Json> = document()['x-amazon-apigateway-gateway-responses'];

  test.each([
    ['MISSING_AUTHENTICATION_TOKEN', '404', 'not_found'],
    ['INVALID_SIGNATURE', '404', 'not_found'],
    ['EXPIRED_TOKEN', '404', 'not_found'],
    ['RESOURCE_NOT_FOUND', '404', 'not_found'],
    ['REQUEST_TOO_LARGE', '413', 'payload_too_large'],
    ['BAD_REQUEST_BODY', '400', 'invalid_request'],
    ['BAD_REQUEST_PARAMETERS', '400', 'invalid_request'],
    ['THROTTLED', '429', 'rate_limited'],
    ['QUOTA_EXCEEDED', '429', 'rate_limited'],
    ['WAF_FILTERED', '403', 'forbidden'],
    ['ACCESS_DENIED', '403', 'forbidden'],
    ['API_CONFIGURATION_ERROR', '500', 'server_error'],
    ['INTEGRATION_FAILURE', '502', 'server_error'],
    ['INTEGRATION_TIMEOUT', '504', 'server_error'],
  ])('map %s to %s %s', (type, status, error) => {
    expect(responses[type].statusCode).toBe(status);
    expect(JSON.parse(responses[type].responseTemplates['application/json'])).toEqual({
      error,
      message: expect.any(String),
    });
  });

  test.each(['DEFAULT_4XX', 'DEFAULT_5XX'])(
    '%s sets no status: it would replace that of all others',
    (type) => {
      expect(responses[type]).not.toHaveProperty('statusCode');
    },
  );

  test.each(Object.keys(responses))('%s has the body and headers of every response', (type) => {
    const { responseParameters, responseTemplates } = responses[type];
    for (const [name, value] of Object.entries({
      ...commonHeaders,
      'content-type': "'application/json; charset=utf-8'",
      'access-control-allow-origin': "'*'",
    })) {
      expect(responseParameters[`gatewayresponse.header.${name}`]).toBe(value);
    }
    expect(JSON.parse(responseTemplates['application/json'])).toHaveProperty('error');
  });

  test('contain retry-after with 429 and x-audit-id with 5xx', () => {
    for (const { statusCode, responseParameters } of Object.values(responses)) {
      if (statusCode === '429') expect(responseParameters['gatewayresponse.header.retry-after']).toBe("'1'");
      if (statusCode >= '500') {
        expect(responseParameters['gatewayresponse.header.x-audit-id']).toBe('context.requestId');
      }
    }
  });

  test('allow the one allowed origin, every origin when several are allowed, and none when none is', () => {
    const origin = (allowed: string[]) =>
      document(allowed)['x-amazon-apigateway-gateway-responses'].THROTTLED.responseParameters[
        'gatewayresponse.header.access-control-allow-origin'
      ];
    expect(origin(['https://a.example'])).toBe("'https://a.example'");
    expect(origin(['https://a.example', 'https://b.example'])).toBe("'*'");
    expect(origin([])).toBeUndefined();
  });
});
