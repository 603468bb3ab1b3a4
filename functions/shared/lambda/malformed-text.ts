import { malformedText } from '../fields/well-formed.ts';
import { fieldName } from './validation-messages.ts';

/** The strings of a parsed input that are not well-formed, keys of objects included, as `{ field: sentence }`. */
export function malformedTextMessages(
  value: unknown,
  path: readonly PropertyKey[] = [],
): Record<string, string> {
  return Object.fromEntries(malformedFields(value, path).map((field) => [field, malformedText]));
}

function malformedFields(value: unknown, path: readonly PropertyKey[]): string[] {
  if (typeof value === 'string') return value.isWellFormed() ? [] : [fieldName(path)];
  if (Array.isArray(value)) return value.flatMap((one, i) => malformedFields(one, [...path, i]));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) =>
    // The name of the field is not repeated: it is what is malformed.
    key.isWellFormed() ? malformedFields(one, [...path, key]) : [fieldName(path)],
  );
}
