import type { OpenApiDocument, Operation } from './types.ts';

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
