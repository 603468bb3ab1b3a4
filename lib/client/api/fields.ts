/** The fields of a value from outside: none of a value that is no object. */
export const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  Object.fromEntries(isObject(value) ? Object.entries(value) : []);

export const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
