import { STATUS_CODES } from 'node:http';
import type { ZodMiniObject } from 'zod/mini';
import type { Registered } from '../../functions/routes.ts';
import { defaultMaxBodyBytes, type Route } from '../../functions/shared/contract/route.ts';
import { errorResponses, responseHeaders } from './errors.ts';
import { jsonSchema, parameters } from './schemas.ts';
import { security } from './security.ts';
import type { Operation, Schema } from './types.ts';

/**
 * A route as an OpenAPI operation.
 *
 * @param registry the routes it is deployed with: some share a limit.
 * @param path one of the route's; at its second one the operation is `<id>.short`, since ids are unique.
 */
export function operation(
  { service, id, route }: Registered,
  registry: readonly Registered[],
  path: string = route.path,
): Operation {
  const status = route.status ?? 200;
  const inputs = parameters(route);
  const isSecond = path !== route.path;
  const same = isSecond ? `The same as \`${route.method} ${route.path}\`.` : undefined;
  const text = [same, route.description, ...facts(route, registry)].filter((part) => part !== undefined);
  return {
    tags: [service],
    operationId: isSecond ? `${id}.short` : id,
    summary: route.summary,
    ...(text.length > 0 && { description: text.join('\n\n') }),
    security: [...security[route.auth].requirements],
    ...(inputs.length > 0 && { parameters: inputs }),
    ...(route.body && {
      requestBody: {
        required: !route.bodyOptional,
        content: {
          [bodyTypes[route.bodyType ?? 'json']]: { schema: bodySchema(route.body, route.bodyType) },
        },
      },
    }),
    responses: {
      [status]: {
        description: STATUS_CODES[status] ?? String(status),
        headers: responseHeaders(status),
        content: { [mediaType(route)]: { schema: jsonSchema(route.response, 'output') } },
      },
      ...errorResponses(route),
      default: { $ref: '#/components/responses/Gateway' },
    },
  };
}

const bodyTypes = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  raw: 'application/json',
} as const;

/** What comes raw is JSON of somebody else's making. */
function bodySchema(body: ZodMiniObject, type: Route['bodyType']): Schema {
  return type === 'raw' ? { type: 'object' } : jsonSchema(body, 'input');
}

/** What follows from the contract and no schema shows: limits, the size of the body, CORS. */
function facts(
  { limit, body, cors, maxBodyBytes = defaultMaxBodyBytes, ...route }: Route,
  registry: readonly Registered[],
) {
  const others = registry
    .filter(({ route: other }) => limit !== undefined && other.limit?.group === limit.group)
    .map(({ route: other }) => `${other.method} ${other.path}`)
    .filter((name) => name !== `${route.method} ${route.path}`);
  const together = others.length > 0 ? `, counted together with ${others.join(', ')}` : '';
  return [
    ...(limit
      ? [
          `At most ${count(limit.max, 'request')} in any ${count(limit.windowMs / 1000, 'second')}${together}.`,
        ]
      : []),
    ...(body ? [`The body holds at most ${maxBodyBytes.toLocaleString('en')} bytes.`] : []),
    ...(cors ? ['Pages of the allowed origins can call it.'] : []),
  ];
}

function count(n: number, unit: string): string {
  return n === 1 ? `1 ${unit}` : `${n.toLocaleString('en')} ${unit}s`;
}

/** Without parameters such as the charset: OpenAPI matches by type. */
function mediaType({ produces = 'application/json' }: Route): string {
  return produces.split(';', 1)[0] ?? produces;
}
