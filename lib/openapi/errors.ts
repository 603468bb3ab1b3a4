import { STATUS_CODES } from 'node:http';
import {
  type ErrorBody,
  type ErrorCode,
  errorBody,
  errorTable,
  gatewayErrors,
} from '../../functions/shared/contract/errors.ts';
import { errorCodes, type Route } from '../../functions/shared/contract/route.ts';
import { jsonSchema } from './schemas.ts';
import type { Example, MediaType, Reference, Response, Schema } from './types.ts';

const errorField = (description: string): Schema => ({ type: 'string', description });
const details: Schema = {
  type: 'object',
  description: 'Each offending field with what is wrong with it, or what to do next.',
};

/** The shapes of an error. A row of the error table with a message has the second, one with a description the third. */
export const errorSchemas = {
  Error: {
    type: 'object',
    properties: { error: errorField('What went wrong, as a sentence.'), details },
    required: ['error'],
  },
  CodedError: {
    type: 'object',
    properties: {
      error: errorField('What went wrong, as a code to compare with.'),
      message: errorField('The same as a sentence, for people; its wording may change.'),
      details,
    },
    required: ['error', 'message'],
  },
  OAuthError: {
    type: 'object',
    description: 'RFC 6749 section 5.2.',
    properties: {
      error: errorField('What went wrong, as a code to compare with.'),
      error_description: errorField('The same as a sentence, for people; its wording may change.'),
    },
    required: ['error'],
  },
} as const satisfies Record<string, Schema>;

/** Headers that answers carry beside those of HTTP. */
export const headers = {
  RequestId: {
    description: 'Names the request; quote it in questions about it.',
    schema: { type: 'string' },
  },
  RetryAfter: {
    description: 'After that many seconds the same request is let through.',
    schema: { type: 'integer', minimum: 1 },
  },
  AuditId: {
    description: 'Names our record of the failure and of its cause; quote it when you report one.',
    schema: { type: 'string' },
  },
} as const;

/** The headers of an answer of that status. */
export function responseHeaders(status: number): Record<string, Reference> {
  return {
    'x-request-id': header('RequestId'),
    ...(status === 429 && { 'Retry-After': header('RetryAfter') }),
    ...(status >= 500 && { 'x-audit-id': header('AuditId') }),
  };
}

/** Every error a route can answer with, by status; several of one status are examples beside each other. */
export function errorResponses(route: Route): Record<string, Response> {
  const byStatus = Map.groupBy(errorCodes(route), (code) => errorTable[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      String(status),
      {
        description: STATUS_CODES[status] ?? String(status),
        headers: responseHeaders(status),
        content: { 'application/json': errorContent(codes.map((code) => [code, bodyOf(route, code)])) },
      },
    ]),
  );
}

/** What API Gateway answers itself, whatever the operation. */
export const gatewayResponse: Response = {
  description: 'Refused on the way, before the operation was reached.',
  content: {
    'application/json': errorContent(
      Object.entries(gatewayErrors).map(([code, row]) => [code, errorBody(row)]),
    ),
  },
};

function errorContent(bodies: readonly (readonly [code: string, body: ErrorBody])[]): MediaType {
  const shapes = new Set(bodies.map(([, body]) => schema(shapeOf(body))));
  const [first, ...more] = [...shapes].map(($ref) => ({ $ref }));
  return {
    schema:
      first !== undefined && more.length === 0 ? first : { anyOf: [...shapes].map(($ref) => ({ $ref })) },
    examples: Object.fromEntries(
      bodies.map(([code, value]): [string, Example] => [
        code,
        { summary: value.message ?? value.error_description ?? value.error, value },
      ]),
    ),
  };
}

function shapeOf({ message, error_description }: ErrorBody): keyof typeof errorSchemas {
  if (error_description !== undefined) return 'OAuthError';
  return message === undefined ? 'Error' : 'CodedError';
}

/** The body to the letter. What is invalid differs: the example answers a request that has nothing in it. */
function bodyOf(route: Route, code: ErrorCode): ErrorBody {
  const missing = code === route.errors.invalid ? missingFields(route) : [];
  const fields = Object.fromEntries(missing.map((name) => [name, 'is required']));
  return errorBody(errorTable[code], missing.length > 0 ? fields : undefined);
}

/** The required fields of the query, which is checked first, else of the body. */
function missingFields({ query, body }: Route): string[] {
  const required = [query, body].map((part) => (part && jsonSchema(part, 'input').required) ?? []);
  return required.find((names) => names.length > 0) ?? [];
}

function header(name: keyof typeof headers): Reference {
  return { $ref: `#/components/headers/${name}` };
}

function schema(name: keyof typeof errorSchemas): string {
  return `#/components/schemas/${name}`;
}
