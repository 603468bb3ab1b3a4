import type { OpenApiDocument, Operation } from '../openapi/types.ts';

const prefix = '/api/v1/';

/**
 * The document with each operation at the path that begins with `/api/v1`, if it has one. The contract gives some of these
 * operations without it: on a page that shows both forms, readers look for a difference that there is not.
 */
export function underOnePrefix(document: OpenApiDocument): OpenApiDocument {
  const paths: Record<string, Record<string, Operation>> = {};
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(methods)) {
      const aliases = operation['x-aliases'] ?? [];
      const shown = [path, ...aliases].find((one) => one.startsWith(prefix)) ?? path;
      const others = [path, ...aliases].filter((one) => one !== shown);
      const moved = others.length === 0 ? operation : Object.assign({}, operation, { 'x-aliases': others });
      paths[shown] = Object.assign(paths[shown] ?? {}, { [method]: moved });
    }
  return Object.assign({}, document, { paths });
}
