import type { Auth } from '../../../functions/shared/contract/callers.ts';
import type { Route } from '../../../functions/shared/contract/route.ts';
import { parameterNames } from '../../../lib/openapi/paths.ts';
import { jsonSchema } from '../../../lib/openapi/schemas.ts';
import type { Schema } from '../../../lib/openapi/types.ts';
import type { Call } from '../call.ts';

/** Text that an escape of JSON can carry, and UTF-8 cannot. */
const malformed = 'a\ud800';

/** Headers that authenticate, which no route declares. A malformed value is like any other wrong one. */
const credentials: Readonly<Record<Auth, readonly string[]>> = {
  none: [],
  device: ['x-device-token', 'dpop'],
  proof: ['x-device-id', 'x-auth-hash'],
  management: ['x-device-id', 'x-auth-hash'],
  links: ['authorization'],
  apiKey: ['authorization'],
  application: ['authorization', 'x-application-id'],
  seller: ['authorization', 'x-application-id'],
  operator: ['authorization'],
  anyOperator: ['authorization'],
};

/** A request with a lone surrogate. */
export interface MalformedRequest {
  /** Where the lone surrogate is. */
  place: string;
  request: Call;
  /** Whether the route declares the field, and refuses the request as invalid. */
  isDeclared: boolean;
}

/** The sample of a route with a lone surrogate in each place in turn: path, query, headers, and strings of a JSON body. */
export function withLoneSurrogates(route: Route, sample: Call): MalformedRequest[] {
  const headers = (names: readonly string[]) => ({
    ...sample,
    headers: { ...sample.headers, ...Object.fromEntries(names.map((name) => [name, malformed])) },
  });
  const declared = (place: string, request: Call) => ({ place, request, isDeclared: true });
  const undeclared = (...names: string[]) => ({
    place: `header ${names.join()}`,
    request: headers(names),
    isDeclared: false,
  });
  // The bytes of a form are UTF-8 already.
  const body = (route.bodyType ?? 'json') === 'json' ? malformedFields(route.body) : [];
  return [
    ...parameterNames(route.path).map((name) =>
      declared(`path ${name}`, { ...sample, params: { ...sample.params, [name]: malformed } }),
    ),
    ...malformedFields(route.query).map(([name]) =>
      declared(`query ${name}`, { ...sample, query: { ...sample.query, [name]: malformed } }),
    ),
    ...Object.keys(route.headers?.shape ?? {}).map((name) => declared(`header ${name}`, headers([name]))),
    ...credentials[route.auth].map((name) => undeclared(name)),
    undeclared('user-agent', 'origin', 'accept'),
    ...body.map(([name, value]) =>
      declared(`body ${name}`, { ...sample, body: { ...(sample.body as object), [name]: value } }),
    ),
  ];
}

/** The fields of an object that can have a string, each with a malformed value. */
function malformedFields(part: Route['body']): [name: string, value: unknown][] {
  const { properties = {} } = part === undefined ? {} : jsonSchema(part, 'input');
  return Object.entries(properties)
    .map(([name, schema]): [string, unknown] => [name, malformedValue(schema)])
    .filter(([, value]) => value !== undefined);
}

/** A value with the malformed text in place of each string of the schema; undefined when it has none. */
function malformedValue(schema: Schema | boolean | undefined): unknown {
  if (typeof schema !== 'object') return undefined;
  const { type, items, properties } = schema;
  if (type === 'string') return malformed;
  if (type === 'array') {
    const item = malformedValue(items as Schema | undefined);
    return item === undefined ? undefined : [item];
  }
  if (type !== 'object') return undefined;
  // Free-form JSON is returned unchanged.
  if (properties === undefined) return undefined;
  const fields = Object.entries(properties)
    .map(([name, field]): [string, unknown] => [name, malformedValue(field)])
    .filter(([, value]) => value !== undefined);
  return fields.length > 0 ? Object.fromEntries(fields) : undefined;
}
