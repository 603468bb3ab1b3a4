import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { type Registered, registeredRoutes } from '../../../../functions/routes.ts';
import { defined } from '../../../../functions/shared/contract/defined.ts';
import type { Route } from '../../../../functions/shared/contract/route.ts';
import { operation } from '../../../../lib/openapi/operation.ts';
import type { Operation } from '../../../../lib/openapi/types.ts';
import { call } from '../../../support/call.ts';
import { samples } from '../../../support/samples/requests.ts';

const route = {
  method: 'POST',
  path: '/api/things/{thingId}',
  summary: 'Makes a thing.',
  auth: 'none',
  query: z.object({ size: z.optional(z.number().check(z.meta({ description: 'In bytes.' }))) }),
  body: z.object({
    name: z.string(),
    color: z._default(z.string(), 'red'),
    dueAt: z.optional(z.iso.datetime()),
  }),
  response: z.object({ id: z.string(), color: z._default(z.string(), 'red'), madeAt: z.iso.datetime() }),
  status: 201,
  errors: { invalid: 'share_invalid', failed: 'server_error', also: ['share_missing_id', 'share_gone'] },
  grants: {},
} as const satisfies Route;

/** Fields of a route that accepts no operator key. */
type Changes = Partial<Extract<Route, { operatorScope?: never }>>;

const entry = (more: Changes = {}, name = 'make'): Registered => ({
  service: 'things',
  name,
  id: `things.${name}`,
  route: { ...route, ...more },
});

/** The operation as serialized: without undefined fields. */
const described = (more: Changes = {}, neighbors: Registered[] = []): Operation =>
  JSON.parse(JSON.stringify(operation(entry(more), [entry(more), ...neighbors])));

function content(from: Operation, status: string) {
  const response = from.responses[status];
  if (response === undefined || !('content' in response)) throw new Error(`No ${status}`);
  return response.content;
}

test('the segments of a path and the fields of the query are parameters', () => {
  expect(described().parameters).toEqual([
    { name: 'thingId', in: 'path', required: true, schema: { type: 'string' } },
    { name: 'size', in: 'query', required: false, description: 'In bytes.', schema: { type: 'number' } },
  ]);
});

test('a field with a default is optional in a request, and required in a response', () => {
  const { requestBody, responses } = described();
  expect(requestBody?.content['application/json']?.schema).toHaveProperty('required', ['name']);
  expect(content({ responses } as Operation, '201')['application/json']?.schema).toHaveProperty('required', [
    'id',
    'color',
    'madeAt',
  ]);
});

test('a time has a format without a pattern, and responses may gain fields', () => {
  const text = JSON.stringify(described());
  expect(text).toContain('"format":"date-time"');
  expect(text).not.toContain('"pattern"');
  expect(text).not.toContain('"additionalProperties":false');
  expect(text).not.toContain('$schema');
});

test('several errors of one status are examples of one response', () => {
  expect(content(described(), '400')['application/json']).toEqual({
    schema: { $ref: '#/components/schemas/Error' },
    examples: {
      share_invalid: {
        summary: 'Invalid payload',
        value: { error: 'Invalid payload', details: { name: 'is required' } },
      },
      share_missing_id: { summary: 'Missing ID', value: { error: 'Missing ID' } },
    },
  });
});

test('an error with a message has its own shape, and a status can have both shapes', () => {
  const coded = '#/components/schemas/CodedError';
  expect(content(described(), '500')['application/json']?.schema).toEqual({ $ref: coded });
  const both = described({ errors: { failed: 'server_error', also: ['share_read_failed'] } });
  expect(content(both, '500')['application/json']?.schema).toEqual({
    anyOf: [{ $ref: coded }, { $ref: '#/components/schemas/Error' }],
  });
});

test('every response has a request id, a 429 has retry-after, and a 500 an audit id', () => {
  const { responses } = described({
    errors: { limited: 'share_limited', failed: 'server_error', also: ['share_gone'] },
  });
  const headersOf = (status: string) => {
    const response = responses[status];
    return response && 'headers' in response ? Object.keys(response.headers ?? {}) : [];
  };
  const always = ['x-request-id', 'cache-control', 'x-content-type-options'];
  expect(headersOf('201')).toEqual(always);
  expect(headersOf('404')).toEqual(always);
  expect(headersOf('429')).toEqual(['retry-after', ...always]);
  expect(headersOf('500')).toEqual(['x-audit-id', ...always]);
});

test('a rate limit names the operations that share it', () => {
  const limit = { group: 'things', max: 1, windowMs: 60_000 };
  const neighbors = [
    entry({ limit, method: 'GET' }, 'read'),
    entry({ limit: { ...limit, group: 'others' }, method: 'PUT' }, 'change'),
  ];
  expect(described({ limit }, neighbors).description).toContain(
    'At most 1 request in any 60 seconds, counted together with GET /api/things/{thingId}.',
  );
  expect(described({ limit }).description).toContain('At most 1 request in any 60 seconds.');
});

test('the description has the body size and the CORS permission where they apply', () => {
  expect(described().description).toBe('The body holds at most 65,536 bytes.');
  const { body: _, ...bodiless } = route;
  const read: Registered = { ...entry(), route: { ...bodiless, cors: true, description: 'More.' } };
  expect(operation(read, [read]).description).toBe('More.\n\nPages of the allowed origins can call it.');
});

test('a body is optional where the route accepts requests without one', () => {
  expect(described().requestBody?.required).toBe(true);
  expect(described({ bodyOptional: true }).requestBody?.required).toBe(false);
});

test('a raw body is any JSON', () => {
  const { requestBody } = described({ bodyType: 'raw', body: z.object({ raw: z.string() }) });
  expect(requestBody?.content).toEqual({ 'application/json': { schema: { type: 'object' } } });
});

test('the second path of a route has the same operation with its own id', () => {
  const { description, ...second } = operation(
    entry({ alsoAt: '/things/{thingId}' }),
    [],
    '/things/{thingId}',
  );
  const { description: own, ...first } = operation(entry(), []);
  expect(second).toEqual({ ...first, operationId: 'things.make.short' });
  expect(description).toBe(`The same as \`POST /api/things/{thingId}\`.\n\n${own}`);
});

test('a response that is not JSON has its own content type, and its errors stay JSON', () => {
  const page = described({ produces: 'text/html; charset=utf-8', response: z.string() });
  expect(content(page, '201')).toEqual({ 'text/html': { schema: { type: 'string' } } });
  expect(Object.keys(content(page, '500'))).toEqual(['application/json']);
});

/** Routes of JSON that refuse an empty request. Path parameters are always present. */
const refusing = registeredRoutes().filter(
  ({ route: { errors, query, body, bodyType } }: { route: Route }) => {
    const required = [query, body].flatMap(
      (part) => (part && z.toJSONSchema(part, { io: 'input' }).required) ?? [],
    );
    return errors.invalid !== undefined && bodyType !== 'form' && bodyType !== 'raw' && required.length > 0;
  },
);

/** Callers that are authenticated by their token before the request is parsed. */
const bearers = new Set<string>(['links', 'operator', 'apiKey', 'application', 'seller']);

test.each(refusing)(
  'the example of an invalid request to $id is the response to an empty request',
  async ({ id, ...rest }) => {
    const invalid = (rest.route as Route).errors.invalid ?? '';
    const { params = {}, headers = {} } = (await samples[id]?.()) ?? {};
    const { status, body } = await call(id, {
      params,
      headers: bearers.has(rest.route.auth) ? headers : {},
      ...defined({ body: rest.route.body && {} }),
    });
    const documented = operation({ id, ...rest }, registeredRoutes());
    expect(content(documented, String(status))['application/json']?.examples?.[invalid]?.value).toEqual(body);
  },
);
