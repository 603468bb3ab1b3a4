import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { openApiDocument } from '../../../../lib/openapi/openapi.ts';
import { withSharedParts } from '../../../../lib/openapi/shared-parts.ts';

const document = openApiDocument({ version: '1.2.3' });
const shared = withSharedParts(document);

/** The document with what its references name in their place, except for those that the first document has as well. */
function resolved(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(resolved);
  if (typeof value !== 'object' || value === null) return value;
  const [, kind = '', name = ''] =
    /^#\/components\/(schemas|responses)\/(.+)$/.exec((value as { $ref?: string }).$ref ?? '') ?? [];
  const parts = (from: typeof document) => from.components[kind as 'schemas' | 'responses'] ?? {};
  if (kind !== '' && !(name in parts(document))) return resolved(parts(shared)[name]);
  return Object.fromEntries(Object.entries(value).map(([key, below]) => [key, resolved(below)]));
}

test('a document with shared parts says what the one without them says', () => {
  expect(resolved(shared.paths)).toEqual(document.paths);
  expect(resolved(shared.webhooks)).toEqual(document.webhooks);
});

test('it is valid OpenAPI 3.1 by an independent validator', async () => {
  expect(await new Validator().validate({ ...structuredClone(shared) })).toEqual({ valid: true });
});

test('the records of subscriptions are types of their own, and each refusal and each answer of two paths is one response', () => {
  expect(Object.keys(shared.components.schemas)).toEqual(
    expect.arrayContaining(['Invoice', 'Payment', 'Subscription']),
  );
  expect(shared.paths['/api/v1/payments/{id}']?.get?.responses['404']).toEqual({
    $ref: '#/components/responses/404.not_found',
  });
  for (const path of ['/api/v1/payments/{id}', '/payments/{id}'])
    expect(shared.paths[path]?.get?.responses['200']).toEqual({
      $ref: '#/components/responses/get.api.v1.payments.id.200',
    });
});
