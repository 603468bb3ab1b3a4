import type { core } from 'zod/mini';
import { type BodySchema, bodyFields } from '../contract/route.ts';
import { malformedText } from '../fields/well-formed.ts';
import { fieldName } from './validation-messages.ts';

/**
 * The strings of a parsed input that are not well-formed, as `{ field: sentence }`. Free-form JSON is left out: it is
 * stored as JSON text, in which a lone surrogate is an escape, and returned unchanged.
 */
export function malformedTextMessages(schema: BodySchema, input: object): Record<string, string> {
  const declared = bodyFields(schema);
  const fields = Object.entries(input)
    .filter(([name]) => !isFreeForm(declared[name]))
    .flatMap(([name, value]) => malformedFields(value, [name]));
  return Object.fromEntries(fields.map((field) => [field, malformedText]));
}

/**
 * The free-form fields of an unparsed input that have the key `__proto__`, as `{ field: sentence }`. Parsing would drop it,
 * because assigning it replaces the prototype of an object. Other keys that JavaScript objects inherit are kept.
 */
export function droppedKeyMessages(schema: BodySchema, input: unknown): Record<string, string> {
  const declared = bodyFields(schema);
  const freeForm = Object.keys(declared).filter((name) => isFreeForm(declared[name]));
  const fields = freeForm.filter((name) => {
    const value: unknown = Object(input)[name];
    return typeof value === 'object' && value !== null && Object.hasOwn(value, '__proto__');
  });
  return Object.fromEntries(fields.map((name) => [name, 'must not have the key __proto__']));
}

function isFreeForm(schema: core.$ZodType | undefined): boolean {
  const def = schema?._zod.def as { type: string; innerType?: core.$ZodType } | undefined;
  return def?.type === 'optional' ? isFreeForm(def.innerType) : def?.type === 'record';
}

function malformedFields(value: unknown, path: readonly PropertyKey[]): string[] {
  if (typeof value === 'string') return value.isWellFormed() ? [] : [fieldName(path)];
  if (Array.isArray(value)) return value.flatMap((one, i) => malformedFields(one, [...path, i]));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) => malformedFields(one, [...path, key]));
}
