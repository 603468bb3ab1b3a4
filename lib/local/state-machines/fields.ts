import { DefinitionError } from './errors.ts';
import { type Json, type JsonObject, templateProblem } from './expression.ts';

const variableName = /^[\p{ID_Start}][\p{ID_Continue}]{0,79}$/u;

/** Reads the fields of an object of a definition. Every refusal names the object and the field. */
export interface Fields {
  /** The name of the object in refusals. */
  owner: string;
  all: JsonObject;
  refuse(field: string, why: string): DefinitionError;
  /** Refuses all other fields. */
  only(...known: string[]): void;
  has(field: string): boolean;
  raw(field: string): Json | undefined;
  string(field: string): string;
  optionalString(field: string): string | undefined;
  /** A list of one or more names. */
  strings(field: string): string[];
  integer(field: string, min: number, max: number): number | undefined;
  object(field: string): JsonObject | undefined;
  /** The objects of a non-empty list. An optional list that is absent is empty. */
  list(field: string, presence?: 'optional'): Fields[];
  /** A value whose expressions, if any, compile. */
  template(field: string): Json | undefined;
  /** The variables that `Assign` sets. */
  assign(): JsonObject | undefined;
}

/** @throws DefinitionError when the value is not an object; so does every method */
export function fieldsOf(value: Json, owner: string): Fields {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw new DefinitionError(`${owner}: must be an object`);
  }
  const all: JsonObject = value;
  const raw = (field: string) => (Object.hasOwn(all, field) ? all[field] : undefined);
  const refuse = (field: string, why: string) => new DefinitionError(`${owner}, field '${field}': ${why}`);

  const optionalString = (field: string) => {
    const found = raw(field);
    if (found === undefined || typeof found === 'string') return found;
    throw refuse(field, 'must be a string');
  };
  const template = (field: string) => {
    const found = raw(field);
    const problem = found === undefined ? undefined : templateProblem(found);
    if (problem !== undefined) throw refuse(field, problem);
    return found;
  };
  const object = (field: string) => {
    const found = raw(field);
    if (found === undefined) return undefined;
    return fieldsOf(found, `${owner}, field '${field}'`).all;
  };

  return {
    owner,
    all,
    refuse,
    raw,
    optionalString,
    template,
    object,
    has: (field) => raw(field) !== undefined,
    only(...known) {
      const unknown = Object.keys(all).find((field) => !known.includes(field));
      if (unknown !== undefined) throw refuse(unknown, 'is not supported by the local stack');
    },
    string(field) {
      const found = optionalString(field);
      if (found === undefined) throw refuse(field, 'is missing');
      return found;
    },
    strings(field) {
      const found = raw(field);
      const names = Array.isArray(found) ? found.filter((name) => typeof name === 'string') : [];
      if (!Array.isArray(found) || names.length === 0 || names.length !== found.length) {
        throw refuse(field, 'must be a list of one or more error names');
      }
      return names;
    },
    integer(field, min, max) {
      const found = raw(field);
      if (found === undefined) return undefined;
      if (typeof found === 'number' && Number.isInteger(found) && found >= min && found <= max) return found;
      throw refuse(field, `must be a whole number from ${min} to ${max}`);
    },
    list(field, presence) {
      const found = raw(field);
      if (found === undefined && presence === 'optional') return [];
      if (!Array.isArray(found) || found.length === 0)
        throw refuse(field, 'must be a list that is not empty');
      return found.map((entry, i) => fieldsOf(entry, `${owner}, field '${field}[${i}]'`));
    },
    assign() {
      const variables = object('Assign');
      const wrong = Object.keys(variables ?? {}).find(
        (name) => name === 'states' || !variableName.test(name),
      );
      if (wrong !== undefined) throw refuse('Assign', `'${wrong}' cannot be the name of a variable`);
      template('Assign');
      return variables;
    },
  };
}
