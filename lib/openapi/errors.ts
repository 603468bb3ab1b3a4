import {
  type ErrorBody,
  type ErrorCode,
  errorBody,
  errorTable,
  gatewayErrors,
} from '../../functions/shared/contract/errors.ts';
import { gatewayHeaders } from './headers.ts';
import type { Example, MediaType, Response, Schema } from './types.ts';

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

/** The responses of API Gateway itself, the same for every operation. */
export const gatewayResponse: Response = {
  description: 'Rejected before the request reached the operation.',
  headers: gatewayHeaders(),
  content: {
    'application/json': contentOf(Object.entries(gatewayErrors).map(([code, row]) => [code, errorBody(row)])),
  },
};

/** Errors of a route that share a status: one schema, and each as an example. */
export function errorContent(codes: readonly ErrorCode[]): MediaType {
  return contentOf(codes.map((code) => [code, errorBody(errorTable[code])]));
}

function contentOf(bodies: readonly (readonly [code: string, body: ErrorBody])[]): MediaType {
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

function schema(name: keyof typeof errorSchemas): string {
  return `#/components/schemas/${name}`;
}
