import * as z from 'zod/mini';
import { unknownFieldMessages } from '../../../../../functions/shared/lambda/parse-request.ts';

const schema = z.object({
  name: z.string(),
  address: z.optional(z.nullable(z.object({ street: z.string(), city: z._default(z.string(), 'x') }))),
  metadata: z.optional(z.record(z.string(), z.unknown())),
  links: z.array(z.object({ url: z.pipe(z.string(), z.transform(String)) })),
  rate: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('standard'), percent: z.number() }),
    z.object({ kind: z.literal('none') }),
  ]),
});

test.each<[fact: string, value: unknown, expected: Record<string, string>]>([
  ['is found in the whole', { nmae: 'a' }, { nmae: 'is unknown; did you mean name?' }],
  [
    'is found in an optional object',
    { address: { Street: 'a' } },
    { 'address.Street': 'is unknown; did you mean street?' },
  ],
  [
    'is found in an item of a list',
    { links: [{ url: 'a' }, { urll: 'a' }] },
    { 'links[1].urll': 'is unknown; did you mean url?' },
  ],
  [
    'is found in an alternative, by its own fields',
    { rate: { kind: 'none', percent: 1 } },
    { 'rate.percent': 'is unknown' },
  ],
  ['may be in free-form JSON', { metadata: { a: { b: [{}] } } }, {}],
  [
    'is not what an object inherits',
    { toString: 1, constructor: 1 },
    { toString: 'is unknown', constructor: 'is unknown' },
  ],
  ['is none in a value of the wrong type', { name: {}, address: [1], links: { a: 1 }, rate: 'x' }, {}],
  ['is none in a value that is no object', [{ a: 1 }], {}],
  ['is none in null', { address: null }, {}],
])('an unknown field %s', (_, value, expected) => {
  expect(unknownFieldMessages(schema, value)).toEqual(expected);
});

test('a body with many unknown fields, or one of a megabyte, is refused in little time', () => {
  const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`f${i}`, 1]));
  expect(Object.keys(unknownFieldMessages(schema, many))).toHaveLength(20);
  const [name = ''] = Object.keys(unknownFieldMessages(schema, { ['a'.repeat(1_000_000)]: 1 }));
  expect(name).toHaveLength(200);
});
