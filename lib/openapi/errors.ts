import { STATUS_CODES } from 'node:http';
import { defined } from '../../functions/shared/contract/defined.ts';
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
  description: 'Each invalid field with what is wrong with it, or the next step to take.',
};

/**
 * The shapes of an error. A row of the error table yields `CodedError` if it has a `message`, `OAuthError` if it has a
 * `description`, and `Error` otherwise.
 */
export const errorSchemas = {
  Error: {
    type: 'object',
    properties: { error: errorField('The error as a sentence with fixed wording.'), details },
    required: ['error'],
  },
  CodedError: {
    type: 'object',
    properties: {
      error: errorField('The error as a code to compare.'),
      message: errorField('The error as a sentence for people. The wording may change.'),
      details,
    },
    required: ['error', 'message'],
  },
  OAuthError: {
    type: 'object',
    description: 'RFC 6749 section 5.2.',
    properties: {
      error: errorField('The error as a code to compare.'),
      error_description: errorField('The error as a sentence for people. The wording may change.'),
    },
    required: ['error'],
  },
} as const satisfies Record<string, Schema>;

/** Headers of responses beyond those of HTTP. */
export const headers = {
  RequestId: {
    description: 'Identifies the request. Quote it in questions about the request.',
    schema: { type: 'string' },
  },
  RetryAfter: {
    description: 'Seconds after which the same request is accepted.',
    schema: { type: 'integer', minimum: 1 },
  },
  AuditId: {
    description:
      'Identifies the log record of the failure and its cause. Quote it when you report the failure.',
    schema: { type: 'string' },
  },
} as const;

/** The headers of a response with this status. */
export function responseHeaders(status: number): Record<string, Reference> {
  return {
    'x-request-id': header('RequestId'),
    ...defined({
      'Retry-After': status === 429 ? header('RetryAfter') : undefined,
      'x-audit-id': status >= 500 ? header('AuditId') : undefined,
    }),
  };
}

/** Every error of a route by status. Errors that share a status are examples of one response. */
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

/** The responses of API Gateway itself, the same for every operation. */
export const gatewayResponse: Response = {
  description: 'Rejected before the request reached the operation.',
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

/** The exact body. Invalid fields depend on the request: the example is the response to an empty request. */
function bodyOf(route: Route, code: ErrorCode): ErrorBody {
  const missing = code === route.errors.invalid ? missingFields(route) : [];
  const fields = Object.fromEntries(missing.map((name) => [name, 'is required']));
  return errorBody(errorTable[code], missing.length > 0 ? fields : undefined);
}

/** The required fields of the query, which is validated first, or else of the body. */
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
