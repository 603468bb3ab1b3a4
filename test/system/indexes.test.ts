import { lastRelease } from '../upgrade/fixture.ts';
import { declaredIndexes, type GlobalIndex, readIndexes, refusedIndexChanges } from '../upgrade/indexes.ts';
import { dev } from './lib/deployment/stacks/synthesized.ts';

const kept = readIndexes(lastRelease);
const declared = declaredIndexes(dev.templates.get('data')?.json);

test('the table of the last release can be updated to that of this one', () => {
  expect(refusedIndexChanges(kept, declared)).toEqual([]);
});

const [first, ...others] = kept as [GlobalIndex, ...GlobalIndex[]];
const added = { ...first, IndexName: 'byOwner' };

test.each([
  ['one index is created', [...kept, added]],
  ['one index is deleted', others],
])('an update in which %s is accepted', (_, after) => {
  expect(refusedIndexChanges(kept, after)).toEqual([]);
});

test.each([
  [
    'two indexes are created',
    [...kept, added, { ...added, IndexName: 'byDate' }],
    /created: byOwner, byDate; deleted: none/,
  ],
  ['an index is renamed', [added, ...others], /created: byOwner; deleted: queue.*Release each on its own/],
  [
    'an index is changed',
    [{ ...first, Projection: { ProjectionType: 'KEYS_ONLY' } }, ...others],
    /queue is changed\. Add an index of another name/,
  ],
])('an update in which %s is refused with what to do', (_, after, text) => {
  expect(refusedIndexChanges(kept, after)).toEqual([expect.stringMatching(text)]);
});
