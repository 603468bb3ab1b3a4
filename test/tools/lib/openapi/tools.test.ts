/** The document as the tools of integrators read it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import openapiTypes, { astToString } from 'openapi-typescript';
import { openApiDocument } from '../../../../lib/openapi/openapi.ts';
import { withSharedParts } from '../../../../lib/openapi/shared-parts.ts';
import type { OpenApiDocument } from '../../../../lib/openapi/types.ts';
import { breakingChanges, partOf, unnamedChanges } from '../../../support/documentation/breaking-changes.ts';

const root = join(import.meta.dirname, '../../../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const published: OpenApiDocument = JSON.parse(
  JSON.stringify(withSharedParts(openApiDocument({ version: '1.2.3' }))),
);
const last: OpenApiDocument = JSON.parse(read('test/fixtures/openapi.json'));

test("Redocly's recommended rules find nothing", async () => {
  const config = await createConfig({ extends: ['recommended'] });
  const problemsOf = async (document: unknown) =>
    (await lintFromString({ source: JSON.stringify(document), absoluteRef: '/openapi.json', config })).map(
      ({ ruleId, message }) => `${ruleId}: ${message}`,
    );
  expect(await problemsOf(published)).toEqual([]);
  const { info: _, ...broken } = partOf(published, []);
  expect(await problemsOf(broken)).toContainEqual(expect.stringContaining('info'));
});

test('openapi-typescript makes fewer than 97 lines for each operation, with a type for each object', async () => {
  const types = astToString(await openapiTypes(JSON.stringify(published)));
  const operations = Object.values(published.paths).flatMap((methods) => Object.keys(methods));
  expect(types.split('\n').length / operations.length).toBeLessThan(97);
  for (const name of ['Subscription', 'Invoice', 'Payment'])
    expect(types).toMatch(new RegExp(`^ {8}${name}: \\{`, 'm'));
});

test('a change since the last document that breaks a client is named by the changelog', () => {
  expect(unnamedChanges(breakingChanges(last, published), read('CHANGELOG.md'))).toEqual([]);
});

describe('of the changes of a document', () => {
  /** It is compared at once. */
  const small = () => structuredClone(partOf(published, ['/plans', '/subscriptions']));
  const namesOf = (change: (document: OpenApiDocument) => void) => {
    const next = small();
    change(next);
    return breakingChanges(small(), next).map(({ name }) => name);
  };
  const planOf = ({ components }: OpenApiDocument) => components.schemas.Plan ?? {};
  const creationOf = ({ components }: OpenApiDocument) => components.schemas.CreateSubscriptionRequest ?? {};

  test.each<[string, string, (document: OpenApiDocument) => void]>([
    ['an operation that is gone', 'GET /plans', ({ paths }) => delete paths['/plans']],
    ['a field of a response that is gone', 'GET /plans', (next) => delete planOf(next).properties?.name],
    [
      'another type of a field',
      'GET /plans',
      (next) => Object.assign(planOf(next).properties?.name ?? {}, { type: 'integer' }),
    ],
    [
      'a further value of a field',
      'GET /plans',
      (next) => Object(planOf(next).properties?.billingCycle).enum.push('daily'),
    ],
    [
      'a field that a request must have',
      'POST /subscriptions',
      (next) => creationOf(next).required?.push('quantity'),
    ],
    [
      'another id of an operation',
      'GET /plans',
      ({ paths }) => Object.assign(paths['/plans']?.get ?? {}, { operationId: 'getPlans' }),
    ],
    ['an object without its name', 'Plan', ({ components }) => delete components.schemas.Plan],
  ])('%s breaks a client', (_, name, change) => {
    expect(namesOf(change)).toContain(name);
  });

  test.each<[string, (document: OpenApiDocument) => void]>([
    ['nothing', () => undefined],
    [
      'a further field of a response',
      (next) => {
        Object.assign(planOf(next).properties ?? {}, { more: { type: 'string' } });
        planOf(next).required?.push('more');
      },
    ],
    [
      'a further field that a request may have',
      (next) => Object.assign(creationOf(next).properties ?? {}, { more: { type: 'string' } }),
    ],
    ['another description', (next) => Object.assign(planOf(next), { description: 'A plan.' })],
  ])('%s breaks none', (_, change) => {
    expect(namesOf(change)).toEqual([]);
  });

  test('a bullet that begins with Breaking names a change by its operation', () => {
    const change = { name: 'GET /plans', text: 'removed' };
    expect(unnamedChanges([change], '- Breaking: `GET /plans` has\n  no names.\n')).toEqual([]);
    for (const other of ['- `GET /plans` is new.', '- Breaking: `GET /plans/{id}` is gone.', ''])
      expect(unnamedChanges([change], other)).toEqual([change]);
  });
});
