import { clientsOf, factsOfName, folded } from '../../../../functions/clients/client-listing.ts';

const unread = (): never => {
  throw new Error('no item is read');
};

test.each([
  ['Anna Müller-Groß', 'anna muller gross'],
  ['  ØRSTED & Łukasz  ', 'orsted lukasz'],
  ['ＡＮＮ', 'ann'],
  ['İpek', 'ipek'],
  ["O'Brien, Acme™", 'obrien acmetm'],
  ['Κώστας', 'κωστασ'],
  ['山田 太郎', '山田 太郎'],
  ['—', ''],
])('the name %j is %j to the search', (name, words) => {
  expect(folded(name)).toBe(words);
  expect(folded(folded(name))).toBe(words);
});

test.each([
  ['ann', true],
  ['MÜL an', true],
  ['gross', true],
  ['nna', false],
  ['*', false],
  ['anna müller x', false],
])('a client is found by the first letters of words of their name: %j %j', (name, isFound) => {
  const { passes } = clientsOf(
    { applicationId: 'app_1' },
    { name },
    { read: unread, toResponse: (client) => client },
  );
  expect(passes?.({ ...factsOfName('Anna Müller-Groß') }, 'client')).toBe(isFound);
  // A client that a former release wrote is read.
  expect(passes?.({}, 'client')).toBe(true);
});
