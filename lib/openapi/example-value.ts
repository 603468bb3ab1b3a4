import { ownIdOf, recordOf, textOf } from './example-texts.ts';
import type { Schema } from './types.ts';

type Fields = 'required' | 'shown' | 'all';

/**
 * A value that a schema describes, made of the examples in it. A text without an example is one of those of its name, or
 * else a placeholder in angle brackets, which names what to put there.
 *
 * @param fields `required` leaves optional fields out, `shown` those without an example.
 */
export function exampleValue(schema: Schema | boolean, fields: Fields, name = 'value'): unknown {
  if (typeof schema === 'boolean' || schema.$ref !== undefined) return {};
  const { type, examples, enum: values, oneOf, anyOf = oneOf, format, minimum = 1 } = schema;
  const given = [...(examples ?? []), schema.const, ...(values ?? []), schema.default];
  const first = given.find((value) => value !== undefined && value !== null);
  if (first !== undefined) return first;
  if (anyOf !== undefined) return anyOf[0] === undefined ? null : exampleValue(anyOf[0], fields, name);
  const [only] = [type ?? 'object'].flat().filter((one) => one !== 'null');
  if (only === 'object') return exampleObject(schema, fields, name);
  if (only === 'array') return exampleItems(schema, fields, name);
  if (only === 'boolean') return true;
  if (only === 'number' || only === 'integer') return Math.max(1, minimum);
  return recordOf(name) ?? textOf(name) ?? byFormat[format ?? ''] ?? `<${name}>`;
}

const byFormat: Readonly<Record<string, string>> = {
  'date-time': '2026-01-31T12:00:00.000Z',
  email: 'ann@example.com',
  uri: 'https://app.example.com/',
};

function exampleObject(
  { properties = {}, required = [] }: Schema,
  fields: Fields,
  name: string,
): Record<string, unknown> {
  const names = Object.keys(properties);
  const chosen = names.filter(
    (one) =>
      fields === 'all' || required.includes(one) || (fields === 'shown' && hasExample(properties[one])),
  );
  // A change names at least one field.
  const shown = chosen.length > 0 ? chosen : names.slice(0, 1);
  return Object.fromEntries(
    shown.map((one) => {
      const id = one === '_id' ? ownIdOf(name) : undefined;
      return [one, id ?? exampleValue(properties[one] ?? true, fields, one)];
    }),
  );
}

function exampleItems({ items }: Schema, fields: Fields, name: string): unknown[] {
  return items === undefined || Array.isArray(items) ? [] : [exampleValue(items, fields, name)];
}

const hasExample = (schema: Schema | boolean | undefined): boolean =>
  typeof schema === 'object' && schema.examples !== undefined;
