import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { registeredRoutes } from '../../../../functions/routes.ts';
import { ApiError, errorTable } from '../../../../functions/shared/contract/errors.ts';
import { errorCodes, type Route } from '../../../../functions/shared/contract/route.ts';
import { pathsOf } from '../../../../lib/deployment/gateway/paths.ts';
import { openApiDocument } from '../../../../lib/openapi/openapi.ts';
import type { Operation } from '../../../../lib/openapi/types.ts';

const document = openApiDocument({ version: '1.2.3' });
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
);
const operationOf = (id: string): Operation => {
  const found = operations.find(({ operation }) => operation.operationId === id);
  if (found === undefined) throw new Error(`${id} is not documented`);
  return found.operation;
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

test('has every route, and nothing else', () => {
  const lines = registeredRoutes().flatMap(({ route }) =>
    pathsOf(route).map((path) => `${route.method} ${path}`),
  );
  expect(operations.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(lines.sort());
});

test('has every route at each of its paths, identical but for its id and the tag of the contract', () => {
  for (const { id, route } of registeredRoutes()) {
    if (route.alsoAt === undefined) continue;
    const method = route.method.toLowerCase();
    const { description, tags, ...second } = document.paths[route.alsoAt]?.[method] ?? {};
    const { tags: firstTags, ...first } = operationOf(id);
    expect(tags?.[0]).toBe(firstTags[0]);
    expect(description).toContain(`${route.method} ${route.path}`);
    expect(description).toContain(first.description ?? '');
    expect({ ...second, description: first.description }).toEqual({ ...first, operationId: `${id}.short` });
  }
  const ids = operations.map(({ operation }) => operation.operationId);
  expect(new Set(ids).size).toBe(ids.length);
});

describe.each(registeredRoutes())('$route.method $route.path', ({ id, route }) => {
  const operation = operationOf(id);

  test('documents each status of the operation, and no other', () => {
    const { status = 200, otherResponses = [] }: Route = route;
    const errors = errorCodes(route).map((code) => errorTable[code].status);
    const statuses = [status, ...otherResponses.map((other) => other.status), ...errors].map(String);
    // The gateway's own responses are under `default`.
    expect(Object.keys(operation.responses).sort()).toEqual([...new Set([...statuses, 'default'])].sort());
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
    const body = JSON.stringify((operation as { requestBody?: unknown }).requestBody ?? {});
    // A raw body is described as any JSON.
    const fields = route.bodyType === 'raw' ? [] : Object.keys(route.body?.shape ?? {});
    for (const field of fields) expect(body).toContain(`"${field}"`);
    const names = ((operation.parameters ?? []) as { name: string }[]).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(Object.keys(route.query?.shape ?? {})));
  });
});
