import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { ZodMiniObject } from 'zod/mini';
import { ApiError } from '../contract/errors.ts';
import { defaultMaxBodyBytes, type Route } from '../contract/route.ts';
import { header, isRepeated, type ParsedInput } from './request-context.ts';
import { validationMessages } from './validation-messages.ts';

/**
 * Path, headers, query and body through the route's schemas. Unknown fields are dropped.
 * @throws ApiError the route's `invalid`, whose details name each offending field.
 */
export function parseInput(route: Route, event: APIGatewayProxyEvent): ParsedInput {
  const params = route.params && parsed(route, route.params, { ...event.pathParameters }, 'path');
  refuseRepeated(route, repeatedHeaders(route, event));
  const headers = route.headers && parsed(route, route.headers, headersOf(route.headers, event), 'headers');
  const query = route.query && parsed(route, route.query, queryOf(route, event), 'query');
  const body = route.body && parsed(route, route.body, bodyOf(route, event), 'body');
  return { params, headers, query, body } as ParsedInput;
}

function parsed(route: Route, schema: ZodMiniObject, value: unknown, root: string): unknown {
  const result = schema.safeParse(value, { reportInput: true });
  if (!result.success) throw invalid(route, validationMessages(result.error.issues, root));
  return result.data;
}

function headersOf(schema: ZodMiniObject, event: APIGatewayProxyEvent): Record<string, unknown> {
  return Object.fromEntries(Object.keys(schema.shape).map((name) => [name, header(event, name)]));
}

/** May be sent in parts: browsers split cookies, and `Accept` is a list (RFC 9110 section 5.3). */
const splittable = new Set(['accept', 'cookie']);

/** Headers that count and stand there twice. */
function repeatedHeaders(route: Route, event: APIGatewayProxyEvent): string[] {
  const names = Object.keys(route.headers?.shape ?? {});
  return names.filter((name) => !splittable.has(name) && isRepeated(event, name));
}

/** @throws ApiError when a parameter that counts stands there twice: which one is meant nobody can say. */
function queryOf(route: Route, event: APIGatewayProxyEvent): Record<string, unknown> {
  const repeated = Object.entries(event.multiValueQueryStringParameters ?? {})
    .filter(([name, values]) => (values?.length ?? 0) > 1 && Object.hasOwn(route.query?.shape ?? {}, name))
    .map(([name]) => name);
  refuseRepeated(route, repeated);
  return { ...event.queryStringParameters };
}

function refuseRepeated(route: Route, names: readonly string[]): void {
  if (names.length === 0) return;
  throw invalid(route, Object.fromEntries(names.map((name) => [name, 'must be given once'])));
}

const bodyTypes = {
  json: { type: 'application/json', parse: parseJson },
  form: { type: 'application/x-www-form-urlencoded', parse: parseForm },
  raw: { type: 'application/json', parse: (_: Route, raw: string) => ({ raw }) },
} as const;

function bodyOf(route: Route, event: APIGatewayProxyEvent): unknown {
  const { type, parse } = bodyTypes[route.bodyType ?? 'json'];
  const sent = header(event, 'content-type')?.split(';', 1)[0]?.trim().toLowerCase();
  if (sent !== undefined && sent !== type) throw invalid(route, { 'content-type': `must be ${type}` });
  const text = event.isBase64Encoded
    ? Buffer.from(event.body ?? '', 'base64').toString()
    : (event.body ?? '');
  const maxBytes = route.maxBodyBytes ?? defaultMaxBodyBytes;
  if (Buffer.byteLength(text) > maxBytes) throw invalid(route, { body: `must be at most ${maxBytes} bytes` });
  if (text === '' && route.bodyOptional) return {};
  if (text === '') throw invalid(route, { body: 'is required' });
  return parse(route, text);
}

function parseJson(route: Route, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message quotes the text, which may be secret.
    throw invalid(route, { body: 'is not valid JSON' });
  }
}

/** @throws ApiError when a field that counts stands there twice: RFC 6749 section 3.2 has it refused. */
function parseForm(route: Route, text: string): Record<string, string> {
  const fields = new URLSearchParams(text);
  const known = Object.keys(route.body?.shape ?? {});
  refuseRepeated(
    route,
    known.filter((name) => fields.getAll(name).length > 1),
  );
  return Object.fromEntries(fields);
}

function invalid(route: Route, details: Record<string, string>): ApiError {
  return new ApiError(route.errors.invalid ?? route.errors.failed, { details });
}
