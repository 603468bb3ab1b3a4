import { filterPattern } from '../../../../../lib/deployment/stream.ts';
import { matches } from '../../../../../lib/local/stream/consumer.ts';

const pattern = filterPattern({ partitions: 'EVENT', sortKeyPrefix: 'EVENTS' });
const record = (eventName: string, pk: unknown, sk: unknown) => ({
  eventName,
  dynamodb: { Keys: { pk: { S: pk }, sk: { S: sk } } },
});

test.each([
  ['a new item under the keys', record('INSERT', 'EVENT#evt_1', 'EVENTS'), true],
  ['a sort key that goes on after the prefix', record('INSERT', 'EVENT#evt_1', 'EVENTS#2'), true],
  ['a change of such an item', record('MODIFY', 'EVENT#evt_1', 'EVENTS'), false],
  ['a removal of such an item', record('REMOVE', 'EVENT#evt_1', 'EVENTS'), false],
  ['a prefix that begins with the same letters', record('INSERT', 'EVENTLIST#app_1', 'EVENTS'), false],
  ['the prefix further on in the key', record('INSERT', 'X#EVENT#evt_1', 'EVENTS'), false],
  ['another sort key', record('INSERT', 'EVENT#evt_1', 'OTHER'), false],
  ['the prefix in other letters', record('INSERT', 'event#evt_1', 'EVENTS'), false],
  ['a key that is no text', record('INSERT', 1, 'EVENTS'), false],
  ['a record without keys', { eventName: 'INSERT', dynamodb: {} }, false],
  ['nothing', undefined, false],
])('%s: %o is %s', (_, one, expected) => {
  expect(matches(pattern, one)).toBe(expected);
});
