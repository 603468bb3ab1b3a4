export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** The fields of a value from outside: none of a value that is no object. */
export const fieldsOf = (value: unknown) => (isObject(value) ? value : {});
