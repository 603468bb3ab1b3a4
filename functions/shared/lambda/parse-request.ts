import type { APIGatewayProxyEvent } from 'aws-lambda';
import * as z from 'zod/mini';
import { type core, safeParse } from 'zod/mini';
import { ApiError } from '../contract/errors.ts';
import { isObject } from '../contract/merge-patch.ts';
import {
  type BodySchema,
  bodyFields,
  defaultMaxBodyBytes,
  type Route,
  refusesUnknownFields,
} from '../contract/route.ts';
import { malformedText } from '../fields/well-formed.ts';
import { nearest } from './nearest.ts';
import { header, isRepeated, type ParsedInput } from './request-context.ts';
import { fieldName, validationMessages } from './validation-messages.ts';

/** A body can have a million of them. */
const mostNamed = 20;
const longestName = 200;

interface UnknownField {
  path: readonly PropertyKey[];
  known: readonly string[];
}

/** The fields of a JSON value that its schema does not have, as `{ field: sentence }`. Free-form JSON may have any. */
export function unknownFieldMessages(schema: core.$ZodType, value: unknown): Record<string, string> {
  const messages = new Map<string, string>();
  for (const { path, known } of unknownFields(schema, value, [])) {
    const likely = nearest(String(path.at(-1)), known);
    const sentence = likely === undefined ? 'is unknown' : `is unknown; did you mean ${likely}?`;
    messages.set(fieldName(path).slice(0, longestName), sentence);
    if (messages.size === mostNamed) break;
  }
  return Object.fromEntries(messages);
}

function* unknownFields(
  schema: core.$ZodType,
  value: unknown,
  path: UnknownField['path'],
): Generator<UnknownField> {
  const { def } = (schema as core.$ZodTypes)._zod;
  if ('innerType' in def) yield* unknownFields(def.innerType, value, path);
  if (def.type === 'pipe') yield* unknownFields(def.in, value, path);
  if (def.type === 'union') {
    const chosen = def.options.find((option) => safeParse(option, value).success);
    if (chosen !== undefined) yield* unknownFields(chosen, value, path);
  }
  if (def.type === 'array' && Array.isArray(value))
    for (const [i, one] of value.entries()) yield* unknownFields(def.element, one, [...path, i]);
  if (def.type === 'object' && isObject(value)) {
    const known = Object.keys(def.shape);
    for (const name of Object.keys(value)) {
      const field = Object.hasOwn(def.shape, name) ? def.shape[name] : undefined;
      if (field === undefined) yield { path: [...path, name], known };
      else yield* unknownFields(field, value[name], [...path, name]);
    }
  }
}

/**
 * Parses path, headers, query and body with the route's schemas. Unknown fields are dropped, or refused in a body of a route
 * that refuses them. A string with a lone surrogate is refused in every field: it has no UTF-8 encoding, so no key, header or
 * item can hold it.
 *
 * @throws ApiError the route's `invalid`, whose details name each offending field.
 */
export async function parseInput(route: Route, event: APIGatewayProxyEvent): Promise<ParsedInput> {
  const params = route.params && parseFields(route, route.params, { ...event.pathParameters }, 'path');
  refuseRepeated(route, repeatedHeaders(route, event));
  const headers =
    route.headers && parseFields(route, route.headers, headersOf(route.headers, event), 'headers');
  if (route.finalByDefault) refuseQuery(route, event);
  const query = route.query && parseFields(route, route.query, queryOf(route, event), 'query');
  const body = route.body && parseFields(route, route.body, await bodyOf(route, event), 'body');
  if (route.body === undefined) refuseBody(route, event);
  return { params, headers, query, body } as ParsedInput;
}

const noFields = z.object({});

function refuseBody(route: Route, event: APIGatewayProxyEvent): void {
  if (route.method === 'GET' || !refusesUnknownFields(route) || !event.body) return;
  if (mediaType(header(event, 'content-type')) !== bodyTypes.json.type) return;
  refuseUnknown(route, noFields, bodyOf(route, event));
}

/** Refuses the fields that a schema does not have. @throws ApiError the route's `invalid` */
export function refuseUnknown(route: Route, schema: BodySchema, value: unknown): void {
  refuse(route, unknownFieldMessages(schema, value));
}

/** Refuses what the query of a final operation would silently not do. */
function refuseQuery(route: Route, { queryStringParameters }: APIGatewayProxyEvent): void {
  const unknown = Object.keys(queryStringParameters ?? {}).filter(
    (name) => !Object.hasOwn(route.query?.shape ?? {}, name),
  );
  const likely = unknown.map((name) => nearest(name, Object.keys(bodyFields(route.body))));
  const problem = (name?: string) =>
    name === undefined ? 'is unknown' : `is unknown; did you mean ${name} in the body?`;
  refuse(route, Object.fromEntries(unknown.map((name, i) => [name.slice(0, 200), problem(likely[i])])));
}

/**
 * Parses with a schema of the route.
 *
 * @param root names the value itself.
 * @throws ApiError the route's `invalid`, whose details name each offending field.
 */
export function parseFields<O extends object>(
  route: Route,
  schema: z.ZodMiniType<O> & BodySchema,
  value: unknown,
  root: 'path' | 'headers' | 'query' | 'body',
): O {
  const unknown = root === 'body' && refusesUnknownFields(route) ? unknownFieldMessages(schema, value) : {};
  const result = schema.safeParse(value, { reportInput: true });
  if (!result.success) throw invalid(route, { ...unknown, ...validationMessages(result.error.issues, root) });
  const problems = {
    ...unknown,
    ...malformedTextMessages(schema, result.data),
    ...droppedKeyMessages(schema, value),
  };
  refuse(route, problems);
  return result.data;
}

/** The parts of a request that is not an event, by the schemas of a route. @throws ApiError the route's `invalid` */
export function parseParts(
  route: Route,
  parts: Readonly<Record<'params' | 'headers' | 'body', object | undefined>>,
): ParsedInput {
  const params = route.params && parseFields(route, route.params, parts.params ?? {}, 'path');
  const headers = route.headers && parseFields(route, route.headers, parts.headers ?? {}, 'headers');
  const query = route.query && parseFields(route, route.query, {}, 'query');
  const body = route.body && parseFields(route, route.body, parts.body ?? {}, 'body');
  return { params, headers, query, body } as ParsedInput;
}

function headersOf(schema: z.ZodMiniObject, event: APIGatewayProxyEvent): Record<string, unknown> {
  return Object.fromEntries(Object.keys(schema.shape).map((name) => [name, header(event, name)]));
}

/** Headers that may be repeated: browsers split cookies, and the others are lists (RFC 9110 section 5.3). */
const repeatable = new Set(['accept', 'cookie', 'if-none-match']);

function repeatedHeaders(route: Route, event: APIGatewayProxyEvent): string[] {
  const names = Object.keys(route.headers?.shape ?? {});
  return names.filter((name) => !repeatable.has(name) && isRepeated(event, name));
}

/** @throws ApiError when a declared parameter is repeated, which would be ambiguous. */
function queryOf(route: Route, event: APIGatewayProxyEvent): Record<string, unknown> {
  const repeated = Object.entries(event.multiValueQueryStringParameters ?? {})
    .filter(([name, values]) => (values?.length ?? 0) > 1 && Object.hasOwn(route.query?.shape ?? {}, name))
    .map(([name]) => name);
  refuseRepeated(route, repeated);
  return { ...event.queryStringParameters };
}

function refuseRepeated(route: Route, names: readonly string[]): void {
  refuse(route, Object.fromEntries(names.map((name) => [name, 'must be given once'])));
}

function refuse(route: Route, problems: Record<string, string>): void {
  if (Object.keys(problems).length > 0) throw invalid(route, problems);
}

const bodyTypes = {
  json: { type: 'application/json', parse: parseJson },
  form: { type: 'application/x-www-form-urlencoded', parse: parseForm },
  raw: { type: 'application/json', parse: (bytes: Buffer) => ({ raw: bytes.toString() }) },
} as const;

function bodyOf(route: Route, event: APIGatewayProxyEvent): unknown {
  const { bodyType = 'json' } = route;
  const known = typeof bodyType === 'string' ? bodyTypes[bodyType] : bodyType;
  const contentType = header(event, 'content-type') ?? known.type;
  if (mediaType(contentType) !== known.type)
    throw invalid(route, { 'content-type': `must be ${known.type}` });
  const bytes = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
  const maxBytes = route.maxBodyBytes ?? defaultMaxBodyBytes;
  if (bytes.length > maxBytes) throw invalid(route, { body: `must be at most ${maxBytes} bytes` });
  if (bytes.length > 0) return known.parse(bytes, contentType, route);
  if (route.bodyOptional) return {};
  throw invalid(route, { body: 'is required' });
}

const mediaType = (contentType = '') => contentType.split(';', 1)[0]?.trim().toLowerCase();

function parseJson(bytes: Buffer, _: string, route: Route): unknown {
  const text = bytes.toString();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The message of the parser quotes the text, which may be secret.
    throw invalid(route, { body: 'is not valid JSON' });
  }
  if (refusesUnknownFields(route) && fieldsOfText(text) > fieldsOf(value))
    refuse(route, { body: 'must have each field once' });
  return value;
}

/** The number of fields in a JSON text. The parser keeps the last one of a name. */
const fieldsOfText = (json: string) =>
  json.match(/"(?:[^"\\]|\\.)*"\s*:?/g)?.filter((token) => token.endsWith(':')).length ?? 0;

/** The number of fields of a value and of all within it, however deep it is. */
function fieldsOf(value: unknown): number {
  let count = 0;
  const left = [value];
  while (left.length > 0) {
    const one = left.pop();
    if (one === null || typeof one !== 'object') continue;
    if (!Array.isArray(one)) count += Object.keys(one).length;
    for (const within of Object.values(one)) left.push(within);
  }
  return count;
}

/** @throws ApiError when a declared field is repeated: RFC 6749 section 3.2 requires it. */
function parseForm(bytes: Buffer, _: string, route: Route): Record<string, string> {
  const fields = new URLSearchParams(bytes.toString());
  const names = Object.keys(bodyFields(route.body));
  refuseRepeated(
    route,
    names.filter((name) => fields.getAll(name).length > 1),
  );
  return Object.fromEntries(fields);
}

function invalid(route: Route, details: Record<string, string>): ApiError {
  return new ApiError(route.errors.invalid ?? route.errors.failed, { details });
}

/**
 * The strings of a parsed input that are not well-formed, as `{ field: sentence }`. Free-form JSON is left out: it is
 * stored as JSON text, in which a lone surrogate is an escape, and returned unchanged.
 */
function malformedTextMessages(schema: BodySchema, input: object): Record<string, string> {
  const declared = bodyFields(schema);
  const fields = Object.entries(input)
    .filter(([name]) => !isFreeForm(declared[name]))
    .flatMap(([name, value]) => malformedFields(value, [name]));
  return Object.fromEntries(fields.map((field) => [field, malformedText]));
}

/**
 * The free-form fields of an unparsed input that have the key `__proto__`, as `{ field: sentence }`. Parsing would drop it,
 * because assigning it replaces the prototype of an object. Other keys that JavaScript objects inherit are kept.
 */
function droppedKeyMessages(schema: BodySchema, input: unknown): Record<string, string> {
  const declared = bodyFields(schema);
  const freeForm = Object.keys(declared).filter((name) => isFreeForm(declared[name]));
  const fields = freeForm.filter((name) => {
    const value: unknown = Object(input)[name];
    return typeof value === 'object' && value !== null && Object.hasOwn(value, '__proto__');
  });
  return Object.fromEntries(fields.map((name) => [name, 'must not have the key __proto__']));
}

function isFreeForm(schema: core.$ZodType | undefined): boolean {
  const def = schema?._zod.def as { type: string; innerType?: core.$ZodType } | undefined;
  return def?.type === 'optional' ? isFreeForm(def.innerType) : def?.type === 'record';
}

function malformedFields(value: unknown, path: readonly PropertyKey[]): string[] {
  if (typeof value === 'string') return value.isWellFormed() ? [] : [fieldName(path)];
  if (Array.isArray(value)) return value.flatMap((one, i) => malformedFields(one, [...path, i]));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) => malformedFields(one, [...path, key]));
}
