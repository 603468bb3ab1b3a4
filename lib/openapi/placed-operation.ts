import type { OpenApiDocument, Operation, Schema } from './types.ts';

/** An operation with its place in the document. */
export interface PlacedOperation {
  /** In upper case. */
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

/** The operations of a document, in its order. */
export const operationsOf = ({ paths }: Pick<OpenApiDocument, 'paths'>): PlacedOperation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );

/** A schema or the one that it refers to; undefined where the document allows anything. */
export function resolved(
  document: OpenApiDocument,
  schema: Schema | boolean | readonly unknown[] | undefined,
): Schema | undefined {
  if (typeof schema !== 'object' || !isSchema(schema)) return undefined;
  const name = schema.$ref?.replace('#/components/schemas/', '');
  return name === undefined ? { ...schema } : resolved(document, document.components.schemas[name]);
}

const isSchema = (one: Schema | readonly unknown[]): one is Schema => !Array.isArray(one);
