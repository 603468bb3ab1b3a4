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
