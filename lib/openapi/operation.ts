import type { Registered } from '../../functions/routes.ts';
import { defined } from '../../functions/shared/contract/defined.ts';
import {
  defaultMaxBodyBytes,
  type Route,
  refusesUnknownFields,
} from '../../functions/shared/contract/route.ts';
import { tagOf } from './info.ts';
import { capitalized, operationIdOf } from './operation-id.ts';
import { contractTag, documentedPath, pathsOf } from './paths.ts';
import { requestExample } from './request-examples.ts';
import { responses } from './responses.ts';
import { namedSchema, parameters } from './schemas.ts';
import { security } from './security.ts';
import type { Operation, Reference, Schema } from './types.ts';

/**
 * A route as an OpenAPI operation.
 *
 * @param registry the deployed routes: some share a rate limit.
 */
export function operation(registered: Registered, registry: readonly Registered[]): Operation {
  const { route } = registered;
  const tag = tagOf(registered.service);
  const inputs = parameters(route);
  const operationId = operationIdOf(registered);
  const path = documentedPath(route);
  const own = responses(route, operationId);
  const aliases = pathsOf(route).filter((other) => other !== path);
  const text = [route.description, ...facts(route, registry)].filter((part) => part !== undefined);
  return {
    // A reader that shows an operation once takes the first tag.
    tags: route.ofContract ? [tag, contractTag.name] : [tag],
    operationId,
    summary: route.summary,
    ...defined({ description: text.length > 0 ? unwrapped(text.join('\n\n')) : undefined }),
    ...defined({ 'x-aliases': aliases.length > 0 ? aliases : undefined }),
    security: [...security[route.auth].requirements],
    ...defined({
      parameters: inputs.length > 0 ? inputs : undefined,
      requestBody: requestBody(registered, operationId),
    }),
    responses: { ...gatewayRefusal(own), ...own, default: gateway },
  };
}

const gateway: Reference = { $ref: '#/components/responses/Gateway' };

/** The gateway refuses requests that the operation itself refuses never. */
const gatewayRefusal = (own: object): Record<string, Reference> =>
  Object.keys(own).some((status) => status.startsWith('4')) ? {} : { '4XX': gateway };

function requestBody(registered: Registered, id: string): Operation['requestBody'] {
  const { body, bodyType, bodyOptional }: Route = registered.route;
  if (body === undefined) return undefined;
  const io = refusesUnknownFields(registered.route) ? 'closed' : 'input';
  // A raw body is JSON that another service defines.
  const schema: Schema =
    bodyType === 'raw' ? { type: 'object' } : namedSchema(body, io, `${capitalized(id)}Request`);
  const examples = { request: { summary: 'A request.', value: requestExample(registered) } };
  const content = {
    [typeof bodyType === 'object' ? bodyType.type : bodyTypes[bodyType ?? 'json']]: { schema, examples },
  };
  return { required: !bodyOptional, content };
}

const bodyTypes = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  raw: 'application/json',
} as const;

/** The parts of the contract that no schema shows: rate limit, body size, CORS. */
function facts(
  { operatorScope, limit, byteLimit, body, cors, maxBodyBytes = defaultMaxBodyBytes, ...route }: Route,
  registry: readonly Registered[],
) {
  const others = registry
    .filter(({ route: other }) => limit !== undefined && other.limit?.group === limit.group)
    .map(({ route: other }) => `${other.method} ${documentedPath(other)}`)
    .filter((name) => name !== `${route.method} ${documentedPath(route)}`);
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

/**
 * CommonMark with each paragraph and each item of a list on one line. Generators of code write each line of a description as
 * a line of a comment. https://spec.commonmark.org/0.31.2/#soft-line-breaks
 */
const unwrapped = (text: string): string =>
  text
    .split(/\n{2,}/)
    .map((block) => (/^(```|\|)/m.test(block) ? block : block.replaceAll(/\s*\n\s*(?!\s*[-*] )/g, ' ')))
    .join('\n\n');
