/** The names of the fields of a literal. Its type has to name them all. */
export const keysOf = <T extends object>(literal: T) => Object.keys(literal) as (keyof T & string)[];
