import { Validator } from '@seriousme/openapi-schema-validator';
import { objects } from '../../../../functions/objects.ts';
import { registeredRoutes } from '../../../../functions/routes.ts';
import { ApiError, errorTable } from '../../../../functions/shared/contract/errors.ts';
import { bodyFields, errorCodes, type Route } from '../../../../functions/shared/contract/route.ts';
import { inlined } from '../../../../lib/openapi/components.ts';
import { openApiDocument } from '../../../../lib/openapi/openapi.ts';
import { derivedId, operationIdOf } from '../../../../lib/openapi/operation-id.ts';
import { documentedPath, pathsOf } from '../../../../lib/openapi/paths.ts';
import type { Operation } from '../../../../lib/openapi/types.ts';

const document = openApiDocument({ version: '1.2.3' });
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
);
const operationOf = (route: Route): Operation => {
  const found = document.paths[documentedPath(route)]?.[route.method.toLowerCase()];
  if (found === undefined) throw new Error(`${route.method} ${route.path} is not documented`);
  return found;
};

test('is valid OpenAPI 3.1 by an independent validator', async () => {
  const validator = new Validator();
  expect(await validator.validate({ ...structuredClone(document) })).toEqual({ valid: true });
  expect(validator.version).toBe('3.1');
  const { info: _, ...broken } = structuredClone(document);
  expect((await new Validator().validate(broken)).valid).toBe(false);
});

test('every reference resolves', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path]) =>
    String(path),
  );
  expect(references.length).toBeGreaterThan(0);
  for (const path of references) {
    const target = path
      .split('/')
      .reduce<unknown>((at, key) => (at as Record<string, unknown>)?.[key], document);
    expect(target, path).toBeDefined();
  }
});

test('has every route once, and nothing else', () => {
  const lines = registeredRoutes().map(({ route }) => `${route.method} ${documentedPath(route)}`);
  expect(operations.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(lines.sort());
});

test('has the other path of an operation at the operation, and nowhere else', () => {
  for (const { route } of registeredRoutes()) {
    const operation = operationOf(route);
    const others = pathsOf(route).filter((path) => path !== documentedPath(route));
    expect(operation['x-aliases'] ?? []).toEqual(others);
    for (const path of others) {
      expect(document.paths[path]?.[route.method.toLowerCase()]).toBeUndefined();
    }
  }
  // The path of the contract comes first.
  expect(document.paths['/subscriptions']?.post?.['x-aliases']).toEqual(['/api/v1/subscriptions']);
  expect(document.paths['/api/v1/payments']?.post?.['x-aliases']).toEqual(['/payments']);
});

test('each operation and each delivery has an id of its own, which is a verb with its object in camel case', () => {
  const deliveries = Object.values(document.webhooks ?? {}).map(({ post }) => post.operationId);
  const ids = [...operations.map(({ operation }) => operation.operationId), ...deliveries];
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^[a-z]+([A-Z][a-z]+)+$/);
  expect(ids).toEqual(
    expect.arrayContaining(['createSubscription', 'cancelSubscription', 'listInvoices', 'listDeliveries']),
  );
});

test('a route names the id of its operation only where it does not follow from the name of the route', () => {
  const named = registeredRoutes().filter(({ route }: { route: Route }) => route.operationId !== undefined);
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((one) => operationIdOf(one) === derivedId(one)).map(({ id }) => id)).toEqual([]);
});

test('an object is the same schema wherever it appears', () => {
  const { schemas } = document.components;
  const subscription = { $ref: '#/components/schemas/Subscription' };
  for (const name of ['CreateSubscriptionResponse', 'GetCurrentSubscriptionResponse'])
    expect(schemas[name]?.properties?.subscription).toEqual(subscription);
  expect(schemas.SubscriptionRenewedEvent?.properties?.data).toEqual(subscription);
  expect(Object.keys(schemas)).toEqual(expect.arrayContaining(Object.keys(objects)));
  // An object of a few fields may be part of several others.
  const inline = inlineObjects(document).filter((text) => text.length > 400);
  expect(inline.filter((text, i) => inline.indexOf(text) !== i)).toEqual([]);
});

/** The objects below a value that are no component, as text. */
function inlineObjects(value: unknown, isComponent = false): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = 'properties' in value && 'type' in value && !isComponent ? [JSON.stringify(value)] : [];
  const below = Object.entries(value).flatMap(([key, one]) =>
    key === 'schemas'
      ? Object.values(one).flatMap((schema) => inlineObjects(schema, true))
      : inlineObjects(one),
  );
  return [...own, ...below];
}

describe.each(registeredRoutes())('$route.method $route.path', ({ route }) => {
  const operation = operationOf(route);

  test('documents each status of the operation, and no other', () => {
    const { status = 200, otherResponses = [] }: Route = route;
    const errors = errorCodes(route).map((code) => errorTable[code].status);
    const statuses = [status, ...otherResponses.map((other) => other.status), ...errors].map(String);
    // The gateway's own responses are under `default`.
    const gateway = statuses.some((one) => one.startsWith('4')) ? ['default'] : ['4XX', 'default'];
    expect(Object.keys(operation.responses).sort()).toEqual([...new Set([...statuses, ...gateway])].sort());
  });

  test('shows the exact body of each error', () => {
    for (const code of errorCodes(route)) {
      const { status } = errorTable[code];
      const response = operation.responses[status];
      const examples =
        (response && 'content' in response && response.content['application/json']?.examples) || {};
      const { details: _, ...shown } = { ...examples[code]?.value } as { details?: unknown };
      expect(shown).toEqual(new ApiError(code).body);
    }
  });

  test('names each field of its body and query, with what is required', () => {
    const body = JSON.stringify(inlined(operation.requestBody ?? {}, document.components.schemas));
    // A raw body is described as any JSON.
    const fields = route.bodyType === 'raw' ? [] : Object.keys(bodyFields(route.body));
    for (const field of fields) expect(body).toContain(`"${field}"`);
    const names = ((operation.parameters ?? []) as { name: string }[]).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(Object.keys(route.query?.shape ?? {})));
  });
});
