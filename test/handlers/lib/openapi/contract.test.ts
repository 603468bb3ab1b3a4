import { openApiDocument } from '../../../../lib/openapi/openapi.ts';
import { operationsOf } from '../../../../lib/openapi/placed-operation.ts';

const document = openApiDocument({ version: '1.0.0' });
const operations = operationsOf(document).map(({ method, path, operation }) => ({
  name: `${method} ${path}`,
  operation,
}));
const ofContract = operations.filter(({ operation }) => operation.tags.includes('contract'));

test('the operations of the contract, and no others, have its tag beside that of their service', () => {
  expect(ofContract.map(({ operation }) => operation.tags[0])).not.toContain('contract');
  const counts = Map.groupBy(ofContract, ({ operation }) => operation.tags[0]);
  expect(Object.fromEntries([...counts].map(([service, own]) => [service, own.length]))).toEqual({
    links: 7,
    oauth: 2,
    devices: 5,
    subscriptions: 3,
    plans: 1,
    clients: 1,
    payments: 1,
    shares: 2,
    vault: 2,
  });
  // The paths that the contract has no prefix for, and the two that it has.
  expect(ofContract.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['GET /subscriptions/current', 'POST /api/v1/subscriptions/{id}/activate']),
  );
});

test('the groups of tags name every tag once', () => {
  const named = document['x-tagGroups'].flatMap(({ tags }) => tags);
  expect(named.toSorted()).toEqual(document.tags.map(({ name }) => name).toSorted());
});
