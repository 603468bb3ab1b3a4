import { registeredRoutes } from '../../functions/routes.ts';
import { withComponents } from './components.ts';
import { errorSchemas, gatewayResponse } from './errors.ts';
import { headers } from './headers.ts';
import { commonRules, tagSummaries } from './info.ts';
import { operation } from './operation.ts';
import { contractTag, documentedPath } from './paths.ts';
import { security } from './security.ts';
import type { OpenApiDocument } from './types.ts';
import { webhookOperations } from './webhooks.ts';

/**
 * The API as OpenAPI 3.1, from the registry of routes and the table of errors alone. The same sources give the same
 * document. https://spec.openapis.org/oas/v3.1.1.html
 *
 * @param options.version of the API, as `info.version`.
 */
export function openApiDocument({ version }: { version: string }): OpenApiDocument {
  const registry = registeredRoutes();
  const schemes = Object.assign({}, ...registry.map(({ route }) => security[route.auth].schemes));
  const byPath = Map.groupBy(registry, ({ route }) => documentedPath(route));
  return withComponents({
    openapi: '3.1.1',
    info: {
      title: 'Vouchsafe',
      version,
      description: commonRules(registry),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    // Resolved against the document's own URL, which keeps a stage's prefix: /prod/openapi.json -> /prod/.
    servers: [{ url: '.', description: 'The location of this document.' }],
    tags: [
      contractTag,
      ...Object.entries(tagSummaries).map(([name, description]) => ({ name, description })),
    ],
    'x-tagGroups': [
      { name: 'The contract', tags: [contractTag.name] },
      { name: 'All operations', tags: Object.keys(tagSummaries) },
    ],
    paths: Object.fromEntries(
      [...byPath].map(([path, entries]) => [
        path,
        Object.fromEntries(
          entries.map((entry) => [entry.route.method.toLowerCase(), operation(entry, registry)]),
        ),
      ]),
    ),
    webhooks: webhookOperations(),
    components: {
      schemas: errorSchemas,
      responses: { Gateway: gatewayResponse },
      headers,
      securitySchemes: schemes,
    },
  });
}
