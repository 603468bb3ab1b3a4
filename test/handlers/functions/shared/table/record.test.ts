import { recordReader } from '../../../../../functions/shared/table/record.ts';

interface Plan {
  planId: string;
  priceMinor: number;
  name?: string;
}

const item = { pk: 'APPLICATION#app_1', sk: 'PLAN#pln_1', planId: 'pln_1', priceMinor: 0 };

test('an item of the kind is its record', () => {
  expect(recordReader<Plan>(['planId', 'priceMinor'])(item)).toEqual(item);
});

test('a record has no attribute that its store leaves out', () => {
  const read = recordReader<Plan>(['planId'], ['pk', 'sk', 'writtenBy']);
  expect(read({ ...item, writtenBy: 'w1' })).toEqual({ planId: 'pln_1', priceMinor: 0 });
});

test('an item without a field of the kind is an error that names its key and the field', () => {
  const { priceMinor: _, ...partial } = item;
  expect(() => recordReader<Plan>(['planId', 'priceMinor'])(partial)).toThrow(
    'The item APPLICATION#app_1 PLAN#pln_1 has no priceMinor',
  );
});
