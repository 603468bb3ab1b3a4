import { type core, safeParse } from 'zod/mini';
import { isObject } from '../contract/merge-patch.ts';
import { nearest } from './nearest.ts';
import { fieldName } from './validation-messages.ts';

/** A body can have a million of them. */
const mostNamed = 20;
const longestName = 200;

interface UnknownField {
  path: readonly PropertyKey[];
  known: readonly string[];
}

/** The fields of a JSON value that its schema does not have, as `{ field: sentence }`. Free-form JSON may have any. */
export function unknownFieldMessages(schema: core.$ZodType, value: unknown): Record<string, string> {
  const messages = new Map<string, string>();
  for (const { path, known } of unknownFields(schema, value, [])) {
    const likely = nearest(String(path.at(-1)), known);
    const sentence = likely === undefined ? 'is unknown' : `is unknown; did you mean ${likely}?`;
    messages.set(fieldName(path).slice(0, longestName), sentence);
    if (messages.size === mostNamed) break;
  }
  return Object.fromEntries(messages);
}

function* unknownFields(
  schema: core.$ZodType,
  value: unknown,
  path: UnknownField['path'],
): Generator<UnknownField> {
  const { def } = (schema as core.$ZodTypes)._zod;
  if ('innerType' in def) yield* unknownFields(def.innerType, value, path);
  if (def.type === 'pipe') yield* unknownFields(def.in, value, path);
  if (def.type === 'union') {
    const chosen = def.options.find((option) => safeParse(option, value).success);
    if (chosen !== undefined) yield* unknownFields(chosen, value, path);
  }
  if (def.type === 'array' && Array.isArray(value))
    for (const [i, one] of value.entries()) yield* unknownFields(def.element, one, [...path, i]);
  if (def.type === 'object' && isObject(value)) {
    const known = Object.keys(def.shape);
    for (const name of Object.keys(value)) {
      const field = Object.hasOwn(def.shape, name) ? def.shape[name] : undefined;
      if (field === undefined) yield { path: [...path, name], known };
      else yield* unknownFields(field, value[name], [...path, name]);
    }
  }
}
