/** The rules for every type of event, of any service. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RegisteredEvent, registeredEvents } from '../../../functions/events.ts';
import { exampleValue } from '../../../lib/openapi/example-value.ts';
import { jsonSchema } from '../../../lib/openapi/schemas.ts';

const root = join(import.meta.dirname, '../../..');
const events = registeredEvents();
const typesOf = (which: readonly RegisteredEvent[]) => which.map(({ type }) => type);

/** Whether a text names the type, and not only a longer one. */
const names = (text: string, type: string) => new RegExp(`(?<![\\w.])${type}(?![\\w.]*\\w)`).test(text);

/** Whether it names the second part alone, as those do that put the first part in front of all of theirs. */
const namesPart = (text: string, type: string) => text.includes(`'${type.slice(type.indexOf('.') + 1)}'`);

/** Whether the text of a decision says that it tells the type, as `machine/decisions` does. */
const tells = (text: string, type: string) =>
  new RegExp(`tells (\\w+ and )?${type.slice(type.indexOf('.') + 1)}\\b`).test(text);

/** The sources that match a pattern as one text, without those that declare the types. */
function sources(pattern: string): string {
  const declarations = new Set([
    'functions/shared/contract/event-types.ts',
    ...events.map(({ service }) => `functions/${service}/events.ts`),
  ]);
  return globSync(pattern, { cwd: root })
    .filter((file) => !declarations.has(file) && file !== 'test/pure/functions/events.test.ts')
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .join('\n');
}

test('a type is registered once, as an object and what happened to it', () => {
  const types = typesOf(events);
  expect(types).toEqual([...new Set(types)]);
  expect(types.filter((type) => !/^[a-z]+(_[a-z]+)*\.[a-z]+(_[a-z]+)*$/.test(type))).toEqual([]);
  expect(types.length).toBeGreaterThan(20);
});

test('a summary is one sentence', () => {
  const others = events.filter(({ definition }) => !/^[A-Z][^.]*(\.\S[^.]*)*\.$/.test(definition.summary));
  expect(typesOf(others)).toEqual([]);
});

test.each(events)('the example of $type is what its schema describes', ({ definition: { data } }) => {
  for (const fields of ['required', 'all'] as const) {
    const example = exampleValue(jsonSchema(data, 'output'), fields) as object;
    expect(Object.keys(example).length).toBeGreaterThan(2);
    // A schema leaves out what it does not declare.
    expect(data.parse(example)).toEqual(example);
  }
});

test('a type is made by a function', () => {
  const all = sources('functions/**/*.ts');
  const unmade = events.filter(({ type }) => {
    const [object = ''] = type.split('.');
    const isPrefixed = all.includes(`\`${object}.\${`);
    return !(names(all, type) || (isPrefixed && namesPart(all, type)));
  });
  expect(typesOf(unmade)).toEqual([]);
});

test('a type is expected by a test', () => {
  const all = sources('test/handlers/functions/**/*.test.ts');
  const untested = events.filter(({ type }) => {
    const own = sources('test/handlers/functions/**/*events*.test.ts');
    const decided = sources('test/pure/functions/**/*.txt');
    return !(names(all, type) || namesPart(own, type) || tells(decided, type));
  });
  expect(typesOf(untested)).toEqual([]);
});

test('the guide for receivers names each type, and leaves those of subscriptions to the table of transitions', () => {
  const guide = readFileSync(join(root, 'docs/webhooks.md'), 'utf8');
  const [, types = ''] = /\n## Types\n([\s\S]*?)\n### /.exec(guide) ?? [];
  const named = [...types.matchAll(/^\| `(\w+)` \| (.*?) \|/gm)].flatMap(([, object, parts = '']) =>
    [...parts.matchAll(/`(\w+)`/g)].map(([, part]) => `${object}.${part}`),
  );
  expect(named).toEqual(typesOf(events).filter((type) => !type.startsWith('subscription.')));
});
