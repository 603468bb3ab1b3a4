import type { ZodMiniObject } from 'zod/mini';
import type { Registered } from '../../functions/routes.ts';
import { defined } from '../../functions/shared/contract/defined.ts';
import { defaultMaxBodyBytes, type Route } from '../../functions/shared/contract/route.ts';
import { contractTag, isOfContract } from './contract.ts';
import { responses } from './responses.ts';
import { jsonSchema, parameters } from './schemas.ts';
import { security } from './security.ts';
import type { Operation, Schema } from './types.ts';

/**
 * A route as an OpenAPI operation.
 *
 * @param registry the deployed routes: some share a rate limit.
 * @param path one of the route's paths. At the second one the operation is `<id>.short`, since ids are unique.
 */
export function operation(
  { service, id, route }: Registered,
  registry: readonly Registered[],
  path: string = route.path,
): Operation {
  const inputs = parameters(route);
  const isSecond = path !== route.path;
  const same = isSecond ? `The same as \`${route.method} ${route.path}\`.` : undefined;
  const text = [same, route.description, ...facts(route, registry)].filter((part) => part !== undefined);
  return {
    // A reader that shows an operation once takes the first tag.
    tags: isOfContract(route.method, path) ? [service, contractTag.name] : [service],
    operationId: isSecond ? `${id}.short` : id,
    summary: route.summary,
    ...defined({ description: text.length > 0 ? text.join('\n\n') : undefined }),
    security: [...security[route.auth].requirements],
    ...defined({ parameters: inputs.length > 0 ? inputs : undefined, requestBody: requestBody(route) }),
    responses: { ...responses(route), default: { $ref: '#/components/responses/Gateway' } },
  };
}

function requestBody({ body, bodyType, bodyOptional }: Route): Operation['requestBody'] {
  if (body === undefined) return undefined;
  const content = { [bodyTypes[bodyType ?? 'json']]: { schema: bodySchema(body, bodyType) } };
  return { required: !bodyOptional, content };
}

const bodyTypes = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  raw: 'application/json',
} as const;

/** A raw body is JSON that another service defines. */
function bodySchema(body: ZodMiniObject, type: Route['bodyType']): Schema {
  return type === 'raw' ? { type: 'object' } : jsonSchema(body, 'input');
}

/** The parts of the contract that no schema shows: rate limit, body size, CORS. */
function facts(
  { operatorScope, limit, byteLimit, body, cors, maxBodyBytes = defaultMaxBodyBytes, ...route }: Route,
  registry: readonly Registered[],
) {
  const others = registry
    .filter(({ route: other }) => limit !== undefined && other.limit?.group === limit.group)
    .map(({ route: other }) => `${other.method} ${other.path}`)
    .filter((name) => name !== `${route.method} ${route.path}`);
  const together = others.length > 0 ? `, counted together with ${others.join(', ')}` : '';
  return [
    ...(operatorScope ? [`An operator key needs the scope \`${operatorScope}\`.`] : []),
    ...(limit
      ? [
          `At most ${count(limit.max, 'request')} in any ${count(limit.windowMs / 1000, 'second')}${together}.`,
        ]
      : []),
    ...(byteLimit
      ? [
          `At most ${byteLimit.maxBytes.toLocaleString('en')} bytes of ${byteLimit.counted} in each hour of UTC.`,
        ]
      : []),
    ...(body ? [`The body holds at most ${maxBodyBytes.toLocaleString('en')} bytes.`] : []),
    ...(cors ? ['Pages of the allowed origins can call it.'] : []),
  ];
}

function count(n: number, unit: string): string {
  return n === 1 ? `1 ${unit}` : `${n.toLocaleString('en')} ${unit}s`;
}
