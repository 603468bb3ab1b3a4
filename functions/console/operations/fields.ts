/** The fields of a form, as they follow from the schema of what an operation takes. */
import * as z from 'zod/mini';
import { isoTime } from '../../shared/runtime/clock.ts';

type Schema = z.core.$ZodType;

/** The most objects of a list that a form can have. */
const mostRows = 100;

interface Described {
  /** As the form sends it: `body.quantity.max`. */
  readonly name: string;
  readonly label: string;
  /** The words of the reference. */
  readonly help: string | undefined;
  readonly isRequired: boolean;
}

/** A field of a form. */
export type FormField = Described &
  (
    | { readonly kind: 'text'; readonly maxLength: number | undefined }
    | { readonly kind: 'number' }
    /** A time in UTC. */
    | { readonly kind: 'time' }
    | { readonly kind: 'choice'; readonly choices: readonly string[] }
    /** Yes, no, or as it is. */
    | { readonly kind: 'flag' }
    /** Any number of several values. */
    | { readonly kind: 'choices'; readonly choices: readonly string[] }
    /** A list with one value in each line. */
    | { readonly kind: 'lines'; readonly of: FormField }
    | { readonly kind: 'group'; readonly fields: readonly FormField[] }
    /** A list of objects. */
    | { readonly kind: 'rows'; readonly row: (n: number) => readonly FormField[] }
    | { readonly kind: 'json' }
  );

/** The fields of an object, or of several between which a field decides. @param prefix of their names: `body`. */
export function fieldsOf(schema: Schema | undefined, prefix: string): FormField[] {
  if (schema === undefined) return [];
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'object')
    return Object.entries(def.shape).map(([name, field]) => fieldOf(field, `${prefix}.${name}`));
  if (def.type !== 'union') return [];
  const all = def.options.flatMap((option) => fieldsOf(option, prefix));
  return all.filter(({ name }, n) => all.findIndex((one) => one.name === name) === n);
}

function fieldOf(schema: Schema, name: string, outer: Partial<Described> = {}): FormField {
  const { description } = z.globalRegistry.get(schema) ?? {};
  const common = {
    name,
    label: labelOf(name),
    help: outer.help ?? description,
    isRequired: outer.isRequired ?? true,
  };
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'optional':
    case 'default':
    case 'nullable':
      return fieldOf(def.innerType, name, { help: common.help, isRequired: false });
    case 'pipe':
      return fieldOf(def.in, name, common);
    case 'enum':
      return { ...common, kind: 'choice', choices: Object.values(def.entries).map(String) };
    case 'literal':
      return { ...common, kind: 'choice', choices: def.values.map(String) };
    case 'boolean':
      return { ...common, kind: 'flag' };
    case 'number':
      return { ...common, kind: 'number' };
    case 'string':
      return textOf(schema, common);
    case 'object':
      return { ...common, kind: 'group', fields: fieldsOf(schema, name) };
    case 'array':
      return listOf(def.element, common);
    case 'union': {
      const fields = fieldsOf(schema, name);
      // A day or a time: either is a text.
      return fields.length === 0
        ? { ...common, kind: 'text', maxLength: undefined }
        : { ...common, kind: 'group', fields };
    }
    default:
      return { ...common, kind: 'json' };
  }
}

function textOf(schema: Schema, common: Described): FormField {
  const { def, bag } = (schema as z.core.$ZodString)._zod;
  if ('format' in def && def.format === 'datetime') return { ...common, kind: 'time' };
  return { ...common, kind: 'text', maxLength: bag.maximum };
}

function listOf(element: Schema, common: Described): FormField {
  const of = fieldOf(element, common.name, { isRequired: false });
  if (of.kind === 'choice') return { ...common, kind: 'choices', choices: of.choices };
  if (of.kind !== 'group') return { ...common, kind: 'lines', of };
  return { ...common, kind: 'rows', row: (n) => fieldsOf(element, `${common.name}.${n}`) };
}

/** `body.expiresInDays` is `Expires in days`. */
function labelOf(name: string): string {
  const last = name.slice(name.lastIndexOf('.') + 1);
  const words = last.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The values of a form, by the names of its fields. */
export type FormValues = Readonly<Record<string, string | undefined>>;

/**
 * The value that a form states for a field; undefined when it states none. A text that is no number stays a text, so that the
 * schema of the operation says what is wrong.
 */
function enteredValue(field: FormField, sent: FormValues): unknown {
  const { name, kind } = field;
  const text = sent[`${name}.other`]?.trim() || sent[name]?.trim() || undefined;
  switch (kind) {
    case 'group':
      return objectOf(field.fields, sent);
    case 'rows': {
      const rows = Array.from(
        { length: rowsIn(name, sent) },
        (_, n) => objectOf(field.row(n), sent) ?? [],
      ).flat();
      return rows.length === 0 ? undefined : rows;
    }
    case 'choices': {
      const chosen = field.choices.filter((choice) => sent[`${name}.${choice}`] !== undefined);
      return chosen.length === 0 ? undefined : chosen;
    }
    case 'lines': {
      if (text === undefined && !field.isRequired) return undefined;
      const all = (text ?? '').split(/\r\n|[\r\n]/).filter((line) => line.trim() !== '');
      return all.map((line) => enteredValue(field.of, { [field.of.name]: line }));
    }
    default:
      return text === undefined ? undefined : single(field, text);
  }
}

/** The number of the objects of a list that a form has fields for. */
export function rowsIn(name: string, sent: FormValues): number {
  const places = Object.keys(sent).flatMap((one) =>
    one.startsWith(`${name}.`) ? [Number.parseInt(one.slice(name.length + 1), 10)] : [],
  );
  return Math.min(mostRows, Math.max(0, ...places.filter(Number.isSafeInteger).map((n) => n + 1)));
}

function single({ kind }: FormField, text: string): unknown {
  switch (kind) {
    case 'number':
      return Number.isNaN(Number(text)) ? text : Number(text);
    case 'flag':
      if (text === 'yes') return true;
      return text === 'no' ? false : text;
    case 'time':
      return timeOf(text);
    case 'json':
      return parsed(text);
    default:
      return text;
  }
}

/** A browser sends `2026-12-31T09:30`. A text that is no such time stays a text. */
function timeOf(text: string): string {
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(text) ? Date.parse(`${text}Z`) : Number.NaN;
  return Number.isNaN(time) ? text : isoTime(time);
}

/** A text that is no JSON stays a text, which the schema refuses. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The object that a form states; undefined when all of its fields are empty. */
export function objectOf(
  fields: readonly FormField[],
  sent: FormValues,
): Record<string, unknown> | undefined {
  const entries = fields.flatMap((field) => {
    const value = enteredValue(field, sent);
    return value === undefined ? [] : [[field.name.slice(field.name.lastIndexOf('.') + 1), value] as const];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}
