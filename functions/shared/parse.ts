import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { ZodMiniObject } from 'zod/mini';
import { defaultMaxBodyBytes, type Input, type Route } from './contract.ts';
import { ApiError } from './errors.ts';
import { header } from './exchange.ts';
import { explain } from './explain.ts';

/**
 * Query and body through the route's schemas. Unknown fields are dropped.
 * @throws ApiError the route's `invalid`, whose details name each offending field.
 */
export function parseInput(route: Route, event: APIGatewayProxyEvent): Pick<Input<Route>, 'query' | 'body'> {
  const query = route.query && parsed(route, route.query, queryOf(route, event), 'query');
  const body = route.body && parsed(route, route.body, bodyOf(route, event), 'body');
  return { query, body } as Pick<Input<Route>, 'query' | 'body'>;
}

function parsed(route: Route, schema: ZodMiniObject, value: unknown, root: string): unknown {
  const result = schema.safeParse(value, { reportInput: true });
  if (!result.success) throw invalid(route, explain(result.error.issues, root));
  return result.data;
}

/** @throws ApiError when a parameter that counts stands there twice: which one is meant nobody can say. */
function queryOf(route: Route, event: APIGatewayProxyEvent): Record<string, unknown> {
  const repeated = Object.entries(event.multiValueQueryStringParameters ?? {})
    .filter(([name, values]) => (values?.length ?? 0) > 1 && name in (route.query?.shape ?? {}))
    .map(([name]) => [name, 'must be given once']);
  if (repeated.length > 0) throw invalid(route, Object.fromEntries(repeated));
  return { ...event.queryStringParameters };
}

function bodyOf(route: Route, event: APIGatewayProxyEvent): unknown {
  const type = header(event, 'content-type');
  if (type !== undefined && !/^application\/json\s*(;|$)/i.test(type.trim())) {
    throw invalid(route, { 'content-type': 'must be application/json' });
  }
  const text = event.isBase64Encoded
    ? Buffer.from(event.body ?? '', 'base64').toString()
    : (event.body ?? '');
  const maxBytes = route.maxBodyBytes ?? defaultMaxBodyBytes;
  if (Buffer.byteLength(text) > maxBytes) throw invalid(route, { body: `must be at most ${maxBytes} bytes` });
  if (text === '') throw invalid(route, { body: 'is required' });
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message quotes the text, which may be secret.
    throw invalid(route, { body: 'is not valid JSON' });
  }
}

function invalid(route: Route, details: Record<string, string>): ApiError {
  return new ApiError(route.errors.invalid ?? route.errors.failed, { details });
}
