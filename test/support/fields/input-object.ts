import type { core } from 'zod/mini';
import type { Route } from '../../../functions/shared/contract/route.ts';

/** An object that a request holds: the whole input, a part of it, or an object within. */
export interface InputObject {
  /** Where it is in the input, `body.items`, and empty for the input itself. */
  readonly path: string;
  /** The objects of each field, none for a text or a number. */
  readonly fields: ReadonlyMap<string, readonly InputObject[]>;
}

type Shape = Readonly<Record<string, core.$ZodType>>;

/** @param addedTo names the objects that also get a field `addedField`, as if their contract had it. */
export function inputOf(
  { params, headers, query, body }: Route,
  addedTo: (path: string) => boolean = () => false,
): InputObject {
  const objectOf = (shape: Shape, path: string): InputObject => {
    const fields = Object.entries(shape).map(([name, schema]): [string, InputObject[]] => [
      name,
      shapesOf(schema).map((inner) => objectOf(inner, fieldPath(path, name))),
    ]);
    return { path, fields: new Map(addedTo(path) ? [...fields, [addedField, []]] : fields) };
  };
  const parts = Object.entries({ params, headers, query, body });
  return objectOf(
    Object.fromEntries(parts.flatMap(([name, schema]) => (schema ? [[name, schema]] : []))),
    '',
  );
}

export const addedField = 'addedField';

export const fieldPath = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

/** An object and all objects within. */
export const objectsIn = (object: InputObject): InputObject[] => [
  object,
  ...[...object.fields.values()].flat().flatMap(objectsIn),
];

/** The fields of the objects that a value of the schema is, or holds as the elements of its lists. */
function shapesOf(schema: core.$ZodType): Shape[] {
  const { def } = (schema as core.$ZodTypes)._zod;
  if (def.type === 'object') return [def.shape];
  if ('innerType' in def) return shapesOf(def.innerType);
  if (def.type === 'pipe') return [...shapesOf(def.in), ...shapesOf(def.out)];
  if (def.type === 'union') return def.options.flatMap(shapesOf);
  if (def.type === 'array') return shapesOf(def.element);
  return def.type === 'record' ? shapesOf(def.valueType) : [];
}
