/** The fields of a form, as they follow from the schema of what an operation takes. */
import * as z from 'zod/mini';
import { patched } from '../../shared/contract/merge-patch.ts';

type Schema = z.core.$ZodType;

interface Described {
  /** As the form sends it: `body.quantity.max`. */
  readonly name: string;
  readonly label: string;
  /** The words of the reference. */
  readonly help: string | undefined;
  readonly isRequired: boolean;
  /** Null takes the value away, and the default counts then. */
  readonly isRemovable: boolean;
  /** The default: it counts without a value. */
  readonly defaultValue: unknown;
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
    /** `isFolded`: it is one of many. `isMerged`: a member that is left out stays. */
    | {
        readonly kind: 'group';
        readonly fields: readonly FormField[];
        readonly isFolded: boolean;
        readonly isMerged: boolean;
      }
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
  const byName = Map.groupBy(
    def.options.flatMap((option) => fieldsOf(option, prefix)),
    ({ name }) => name,
  );
  return [...byName.values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : withChoicesOf(first, others),
  );
}

/** A field that several objects have, with the choices of each. */
function withChoicesOf(field: FormField, others: readonly FormField[]): FormField {
  if (field.kind !== 'choice') return field;
  const all = [field, ...others].flatMap((one) => (one.kind === 'choice' ? one.choices : []));
  return Object.assign({}, field, { choices: [...new Set(all)] });
}

function fieldOf(schema: Schema, name: string, outer: Partial<Described> = {}): FormField {
  const { description, default: defaultValue } = z.globalRegistry.get(schema) ?? {};
  const common = {
    name,
    label: labelOf(name),
    help: outer.help ?? description,
    isRequired: outer.isRequired ?? true,
    isRemovable: outer.isRemovable ?? false,
    defaultValue: outer.defaultValue ?? defaultValue,
  };
  const of = patched.get(schema);
  if (of !== undefined) {
    const { description: help } = z.globalRegistry.get(of) ?? {};
    return { ...common, help, kind: 'group', isFolded: false, isMerged: true, fields: patchFields(of, name) };
  }
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'optional':
      return fieldOf(def.innerType, name, Object.assign(common, { isRequired: false }));
    case 'default':
      return fieldOf(
        def.innerType,
        name,
        Object.assign(common, { isRequired: false, defaultValue: def.defaultValue }),
      );
    case 'nullable':
      return fieldOf(def.innerType, name, Object.assign(common, { isRequired: false, isRemovable: true }));
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
      return { ...common, kind: 'group', isFolded: false, isMerged: false, fields: fieldsOf(schema, name) };
    case 'array':
      return listOf(def.element, common);
    case 'union': {
      const fields = fieldsOf(schema, name);
      // A day or a time: either is a text.
      return fields.length === 0
        ? { ...common, kind: 'text', maxLength: undefined }
        : { ...common, kind: 'group', isFolded: false, isMerged: false, fields };
    }
    default:
      return { ...common, kind: 'json' };
  }
}

/** The fields of what a JSON Merge Patch changes. Each can be taken away. */
const patchFields = (schema: Schema, name: string): FormField[] =>
  fieldsOf(schema, name).map((field) => removable(field, true));

function removable(field: FormField, isFolded: boolean): FormField {
  const common = { isRequired: false, isRemovable: true };
  if (field.kind !== 'group') return Object.assign({}, field, common);
  const fields = field.fields.map((one) => removable(one, false));
  return Object.assign({}, field, common, { fields, isFolded, isMerged: true });
}

function textOf(schema: Schema, common: Described): FormField {
  const { def } = (schema as z.core.$ZodString)._zod;
  if ('format' in def && def.format === 'datetime') return { ...common, kind: 'time' };
  return { ...common, kind: 'text', maxLength: maxLengthOf(def) };
}

/** Of a text. The bag of a schema of zod/mini is empty. */
function maxLengthOf({ checks = [] }: z.core.$ZodStringDef): number | undefined {
  for (const { _zod } of checks)
    if (_zod.def.check === 'max_length' && 'maximum' in _zod.def) return Number(_zod.def.maximum);
  return undefined;
}

function listOf(element: Schema, common: Described): FormField {
  const of = fieldOf(element, common.name, { isRequired: false });
  if (of.kind === 'choice') return { ...common, kind: 'choices', choices: of.choices };
  if (of.kind !== 'group') return { ...common, kind: 'lines', of };
  return { ...common, kind: 'rows', row: (n) => fieldsOf(element, `${common.name}.${n}`) };
}

/** `body.expiresInDays` is `Expires in days`. */
export function labelOf(name: string): string {
  const last = name.slice(name.lastIndexOf('.') + 1);
  const words = last.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
