import type { Operation, Parameter, Schema } from '../../lib/openapi/types.ts';
import type { Seeded } from '../support/parallel/seeded.ts';
import { schemaValue } from './by-schema.ts';
import { bodyOf, type Draft, targetOf } from './draft.ts';
import { type HostileValues, polluted } from './values.ts';

/** The values that mutations draw from. */
export interface Sources {
  random: Seeded;
  hostile: HostileValues;
  operation: Operation;
}

type Mutation = (draft: Draft, sources: Sources) => void;
type Fields = Record<string, unknown>;

const fieldsOf = ({ body }: Draft): Fields | undefined =>
  typeof body === 'object' && body !== null && !(body instanceof Uint8Array) && !Array.isArray(body)
    ? (body as Fields)
    : undefined;

/** The schema of the body. */
function bodySchema({ requestBody }: Operation): Schema | undefined {
  const [content] = Object.values(requestBody?.content ?? {});
  return content?.schema as Schema | undefined;
}

/** An object somewhere in the body, and one of its fields. */
function place(draft: Draft, random: Seeded): { object: Fields; name: string } | undefined {
  let object = fieldsOf(draft);
  if (object === undefined || Object.keys(object).length === 0) return undefined;
  for (;;) {
    const name = random.pick(Object.keys(object));
    const inner: unknown = object[name];
    const nested = Array.isArray(inner) ? inner[0] : inner;
    const isDeep = typeof nested === 'object' && nested !== null && Object.keys(nested).length > 0;
    if (!isDeep || random.oneIn(2)) return { object, name };
    object = nested as Fields;
  }
}

const parametersIn = (operation: Operation, where: Parameter['in']): Parameter[] =>
  (operation.parameters ?? []).filter((parameter) => parameter.in === where);

const setHeader = (draft: Draft, name: string, value: string): void => {
  draft.headers = [...draft.headers.filter(([known]) => known.toLowerCase() !== name), [name, value]];
};

const contentTypes = [
  ...[
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
  ],
  ...['APPLICATION/JSON ; charset=utf-16', 'application/json; charset=utf-8', 'application/octet-stream', ''],
  ...['application/pdf', 'image/png', 'application/json, text/plain'],
];

/** Each makes one thing of a request different. The first half keeps many requests valid. */
const mutations: Readonly<Record<string, Mutation>> = {
  'valid field': (draft, { random, operation }) => {
    const fields = fieldsOf(draft);
    const { properties = {} } = bodySchema(operation) ?? {};
    const names = Object.keys(properties);
    if (fields === undefined || names.length === 0) return;
    const name = random.pick(names);
    const value = schemaValue(properties[name] as Schema, random);
    fields[name] = draft.form ? String(value) : value;
  },
  'valid parameter': (draft, { random, operation }) => {
    const known = parametersIn(operation, 'query');
    if (known.length === 0) return;
    const { name, schema } = random.pick(known);
    draft.query = draft.query.filter(([one]) => one !== name);
    draft.query.push([name, String(schemaValue(schema, random))]);
  },
  'unknown field': (draft, { hostile }) => {
    const fields = fieldsOf(draft);
    if (fields !== undefined) fields[hostile.text() || 'x'] = draft.form ? hostile.text() : hostile.value();
  },
  'unknown parameter': (draft, { hostile }) => {
    draft.query.push([hostile.text().slice(0, 500), hostile.text().slice(0, 500)]);
  },
  'unknown header': (draft, { hostile, random }) => {
    const names = ['x-forwarded-for', 'accept', 'origin', 'x-user-id', 'user-agent', 'x-request-id'];
    setHeader(draft, random.pick(names), hostile.text().slice(0, 2_000));
  },
  'prototype fields': (draft) => {
    const fields = fieldsOf(draft);
    if (fields !== undefined && !draft.form) draft.body = polluted(fields);
  },
  'idempotency key': (draft, { hostile, random }) =>
    setHeader(draft, 'idempotency-key', random.oneIn(2) ? 'again' : hostile.text().slice(0, 2_000)),
  'normal form': (draft) => {
    const fields = fieldsOf(draft) ?? {};
    for (const [name, value] of Object.entries(fields))
      if (typeof value === 'string' && value.length < 100) fields[name] = `${value}\u0065\u0301`;
  },
  'missing field': (draft, { random }) => {
    const at = place(draft, random);
    if (at !== undefined) delete at.object[at.name];
  },
  'hostile field': (draft, { random, hostile }) => {
    const at = place(draft, random);
    if (at !== undefined) at.object[at.name] = draft.form ? hostile.text() : hostile.value();
  },
  'hostile path': (draft, { random, hostile }) => {
    const names = Object.keys(draft.params);
    if (names.length > 0) draft.params[random.pick(names)] = hostile.text().slice(0, 3_000);
  },
  'hostile parameter': (draft, { random, hostile, operation }) => {
    const known = parametersIn(operation, 'query').map(({ name }) => name);
    const names = [...known, ...draft.query.map(([name]) => name)];
    if (names.length === 0) return;
    const name = random.pick(names);
    draft.query = [...draft.query.filter(([one]) => one !== name), [name, hostile.text().slice(0, 3_000)]];
  },
  'hostile header': (draft, { random, hostile }) => {
    if (draft.headers.length === 0) return;
    const [name] = random.pick(draft.headers);
    setHeader(draft, name.toLowerCase(), hostile.text().slice(0, 3_000));
  },
  'missing parameter': (draft, { random }) => {
    draft.query.splice(random.below(draft.query.length + 1), 1);
  },
  'repeated parameter': (draft, { random, hostile }) => {
    if (draft.query.length > 0) draft.query.push([random.pick(draft.query)[0], hostile.text().slice(0, 200)]);
  },
  'repeated header': (draft, { random, hostile }) => {
    if (draft.headers.length > 0)
      draft.headers.push([random.pick(draft.headers)[0], hostile.text().slice(0, 200)]);
  },
  'forged cursor': (draft, { random, hostile }) => {
    const text = random.pick(['{"sk":"x"}', '{"pk":"SECRET#a"}', '[]', 'null', hostile.text()]);
    draft.query = draft.query.filter(([name]) => name !== 'cursor');
    const cursor = Buffer.from(`${'a'.repeat(16)}${text.toWellFormed()}`);
    draft.query.push(['cursor', cursor.toString('base64url')]);
  },
  'content type': (draft, { random }) => setHeader(draft, 'content-type', random.pick(contentTypes)),
  'broken body': (draft, { random }) => {
    const bytes = bodyOf(draft);
    if (bytes === undefined) return;
    const at = random.below(bytes.length + 1);
    draft.body = random.pick([
      bytes.subarray(0, at),
      Buffer.concat([bytes.subarray(0, at), Buffer.from([0xff, 0xfe, 0]), bytes.subarray(at)]),
      Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]),
      Buffer.from(bytes.toString(), 'utf16le'),
      Buffer.concat([bytes, bytes]),
      Buffer.from(bytes.toString().replace(/"([^"]*)"/, '"$1\\ud800"')),
      ...[Buffer.from('null'), Buffer.from('[]'), Buffer.from('['.repeat(20_000)), Buffer.from('"')],
      Buffer.from(bytes.toString().replace('{', '{"a":1e400,"a":-0,')),
    ]);
  },
  'unexpected body': (draft, { hostile }) => {
    if (draft.body === undefined) draft.body = JSON.stringify({ a: hostile.value() });
  },
  'another method': (draft, { random }) => {
    draft.method = random.pick(['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD']);
  },
  'another target': (draft, { random }) => {
    const target = targetOf(draft);
    draft.target = random.pick([
      ...[`/${target}`, `${target}/`, target.toUpperCase(), `${target}%00`, `${target};a=b`, `${target}#a`],
      ...[`http://localhost${target}`, target.replace('/', '/./'), target.replace('/', '/x/../')],
      ...[target.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`), `${target}?%`],
      ...[`${target}${target.includes('?') ? '&' : '?'}a=%ff`, `${target}\u00e9`],
      target.replaceAll('/', '%2f'),
    ]);
  },
};

/** The names of all mutations. */
const mutationNames: readonly string[] = Object.keys(mutations);
/** Of these many requests stay valid. */
const mildNames = mutationNames.slice(0, mutationNames.indexOf('missing field'));

/** Draws up to three mutations; none for one in eight requests. */
export function drawMutations(random: Seeded): string[] {
  if (random.oneIn(8)) return [];
  const count = 1 + (random.oneIn(3) ? 1 : 0) + (random.oneIn(6) ? 1 : 0);
  return Array.from({ length: count }, () => random.pick(random.oneIn(2) ? mildNames : mutationNames));
}

export function mutate(draft: Draft, names: readonly string[], sources: Sources): void {
  for (const name of names) mutations[name]?.(draft, sources);
}
