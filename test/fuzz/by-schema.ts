import type { Schema } from '../../lib/openapi/types.ts';
import type { Seeded } from '../support/parallel/seeded.ts';

/** Examples of the formats of JSON Schema. */
const byFormat: Readonly<Record<string, readonly string[]>> = {
  email: ['ann@example.com', 'Ann@Example.com', "o'neil+tag@example.co.uk", 'ann@münchen.example'],
  uri: ['https://video.example/@ann', 'https://example.com/a?b=c#d', 'http://localhost:3000/'],
  'date-time': ['2026-12-01T10:00:00Z', '2027-01-31T23:59:59.999Z', '2030-06-01T00:00:00+02:00'],
  date: ['2026-12-01'],
};

/** A value that a schema accepts, as far as the schema tells: patterns are left to the caller's own values. */
export function schemaValue(schema: Schema | boolean | undefined, random: Seeded, depth = 0): unknown {
  if (typeof schema !== 'object') return 'any';
  const options = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined;
  if (options !== undefined) return schemaValue(random.pick(options), random, depth);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return random.pick(schema.enum);
  switch (schema.type) {
    case 'object':
      return objectOf(schema, random, depth);
    case 'array':
      return listOf(schema, random, depth);
    case 'boolean':
      return random.oneIn(2);
    case 'integer':
    case 'number':
      return numberOf(schema, random);
    default:
      return textOf(schema, random);
  }
}

function objectOf({ properties = {}, required = [] }: Schema, random: Seeded, depth: number): object {
  const names = Object.keys(properties).filter((name) => required.includes(name) || random.oneIn(2));
  return Object.fromEntries(
    names.map((name) => [name, schemaValue(properties[name] as Schema, random, depth + 1)]),
  );
}

function listOf({ items, minItems = 0, maxItems = 3 }: Schema, random: Seeded, depth: number): unknown[] {
  const length = Math.min(maxItems, minItems + random.below(3));
  return Array.from({ length }, () => schemaValue(items as Schema, random, depth + 1));
}

function numberOf(schema: Schema, random: Seeded): number {
  const { type, minimum = 0, maximum = 1_000 } = schema;
  const lowest = Math.max(minimum, -1e9);
  const span = Math.min(maximum, 1e9) - lowest;
  const value = random.pick([lowest, lowest + span, lowest + random.below(Math.max(1, span))]);
  return type === 'integer' || random.oneIn(2) ? Math.round(value) : Math.round(value * 100) / 100;
}

function textOf({ format, minLength = 0, maxLength = 60 }: Schema, random: Seeded): string {
  const examples = byFormat[format ?? ''];
  if (examples !== undefined) return random.pick(examples);
  const length = random.pick([minLength, Math.min(maxLength, 10_000), Math.max(minLength, random.below(40))]);
  return random.pick(['a', 'Ä', '7', '東']).repeat(length);
}
