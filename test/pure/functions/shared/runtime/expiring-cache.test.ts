import { ExpiringCache } from '../../../../../functions/shared/runtime/expiring-cache.ts';

test('an entry that is set again evicts no other entry of a full cache', () => {
  const cache = new ExpiringCache<number>(2);
  cache.set('first', 1, 10);
  cache.set('second', 2, 10);
  cache.set('second', 3, 10);
  expect([cache.get('first', 0), cache.get('second', 0)]).toEqual([1, 3]);
});

test('a full cache evicts the entry that was set first', () => {
  const cache = new ExpiringCache<number>(2);
  cache.set('first', 1, 10);
  cache.set('second', 2, 10);
  cache.set('first', 1, 10);
  cache.set('third', 3, 10);
  expect([cache.get('first', 0), cache.get('second', 0), cache.get('third', 0)]).toEqual([1, undefined, 3]);
});

test('an entry expires at its time', () => {
  const cache = new ExpiringCache<number>(1);
  cache.set('one', 1, 10);
  expect([cache.get('one', 9), cache.get('one', 10)]).toEqual([1, undefined]);
});
