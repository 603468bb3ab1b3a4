type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Leaves out the fields that are `undefined`, which `exactOptionalPropertyTypes` forbids in optional fields. */
export function defined<T extends object>(fields: T): Defined<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>;
}

/** The names of the fields of a literal. Its type has to name them all. */
export const keysOf = <T extends object>(literal: T) => Object.keys(literal) as (keyof T & string)[];
