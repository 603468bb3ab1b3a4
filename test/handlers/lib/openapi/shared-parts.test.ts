import { Validator } from '@seriousme/openapi-schema-validator';
import { openApiDocument } from '../../../../lib/openapi/openapi.ts';
import { withSharedParts } from '../../../../lib/openapi/shared-parts.ts';

const document = openApiDocument({ version: '1.2.3' });
const shared = withSharedParts(document);

/** The document with the responses themselves in place of references to those that it alone has. */
function resolved(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(resolved);
  if (typeof value !== 'object' || value === null) return value;
  const [, name = ''] =
    /^#\/components\/responses\/(.+)$/.exec((value as { $ref?: string }).$ref ?? '') ?? [];
  if (name !== '' && !(name in document.components.responses)) return shared.components.responses[name];
  return Object.fromEntries(Object.entries(value).map(([key, below]) => [key, resolved(below)]));
}

test('a document with shared parts says what the one without them says', () => {
  expect(resolved(shared.paths)).toEqual(document.paths);
  expect(shared.webhooks).toEqual(document.webhooks);
});

test('it is valid OpenAPI 3.1 by an independent validator', async () => {
  expect(await new Validator().validate({ ...structuredClone(shared) })).toEqual({ valid: true });
});

test('each refusal that several operations have is one response', () => {
  for (const path of ['/api/v1/payments/{id}', '/api/v1/invoices/{id}'])
    expect(shared.paths[path]?.get?.responses['404']).toEqual({
      $ref: '#/components/responses/404.not_found',
    });
});
