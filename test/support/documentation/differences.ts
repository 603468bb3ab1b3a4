/**
 * Compares every response of a handler with the OpenAPI document. `handlers.ts` passes all of them here.
 */

import type { APIGatewayProxyResult } from 'aws-lambda';
import * as z from 'zod';
import { registeredRoutes } from '../../../functions/routes.ts';
import { withInlineObjects } from '../../../lib/openapi/components.ts';
import { alwaysNames } from '../../../lib/openapi/headers.ts';
import { openApiDocument } from '../../../lib/openapi/openapi.ts';
import { documentedPath } from '../../../lib/openapi/paths.ts';
import type { Header, MediaType, Operation, Reference, Response } from '../../../lib/openapi/types.ts';

type Compiled = (value: unknown) => string | undefined;

let document: ReturnType<typeof openApiDocument> | undefined;
let operations: ReadonlyMap<string, Operation> | undefined;
const compiled = new Map<object, Compiled>();

const loadedDocument = () => {
  document ??= withInlineObjects(openApiDocument({ version: 'test' }));
  return document;
};

/** The operations of the OpenAPI document by the ids of their routes. */
export function documentedOperations(): ReadonlyMap<string, Operation> {
  operations ??= new Map(
    registeredRoutes().flatMap(({ id, route }) => {
      const operation = loadedDocument().paths[documentedPath(route)]?.[route.method.toLowerCase()];
      return operation === undefined ? [] : [[id, operation] as const];
    }),
  );
  return operations;
}

/**
 * The differences between a response and the document, each a sentence that names the operation and the status.
 * Empty when the document lists the response: its status, headers, media type and body.
 *
 * @param id of a route.
 */
export function differencesFromDocument(id: string, result: APIGatewayProxyResult): string[] {
  const { statusCode } = result;
  const response = documentedOperations().get(id)?.responses[statusCode];
  const differences =
    response === undefined
      ? [`the status is not documented; the body is ${result.body.slice(0, 200)}`]
      : differencesOf(resolved<Response>(response), result);
  return differences.map((difference) => `${id} ${statusCode}: ${difference}`);
}

function differencesOf(response: Response, result: APIGatewayProxyResult): string[] {
  const { 'content-type': contentType = '', ...sent } = sentHeaders(result);
  const mediaType = contentType.split(';', 1)[0] ?? '';
  const content = response.content[mediaType];
  return [
    ...headerDifferences(response, sent),
    ...(content === undefined
      ? [`the media type '${mediaType}' is not documented`]
      : bodyDifferences(content, mediaType, result.body)),
  ];
}

/** By lowercase name. A header that is sent several times has its last value. */
function sentHeaders({
  headers = {},
  multiValueHeaders = {},
}: APIGatewayProxyResult): Record<string, string> {
  const single = Object.entries(headers);
  const multiple = Object.entries(multiValueHeaders).map(([name, values]) => [name, values.at(-1)] as const);
  return Object.fromEntries(
    [...single, ...multiple].map(([name, value]) => [name.toLowerCase(), String(value)]),
  );
}

function headerDifferences({ headers = {} }: Response, sent: Record<string, string>): string[] {
  const always = alwaysNames.map((name) => [name, { $ref: `#/components/headers/${name}` }] as const);
  const documented: typeof headers = { ...Object.fromEntries(always), ...headers };
  const undocumented = Object.keys(sent).filter((name) => documented[name] === undefined);
  const invalid = Object.entries(documented).flatMap(([name, reference]) => {
    const { required, schema } = resolved<Header>(reference);
    const value = sent[name];
    const isMissing = required || alwaysNames.some((always) => always === name);
    if (value === undefined) return isMissing ? [`the header ${name} is missing`] : [];
    const problem = validator(schema)(schema.type === 'integer' ? Number(value) : value);
    return problem === undefined ? [] : [`the header ${name} is '${value}': ${problem}`];
  });
  return [...undocumented.map((name) => `the header ${name} is not documented`), ...invalid];
}

function bodyDifferences(content: MediaType, mediaType: string, body: string): string[] {
  const value: unknown = mediaType === 'application/json' && body !== '' ? JSON.parse(body) : body;
  const problem = validator(content.schema)(value);
  if (problem !== undefined) return [`the body differs: ${problem}`];
  return isExample(content, value) ? [] : [`the error is not documented: ${body.slice(0, 200)}`];
}

/** Whether an error is one of the documented ones: the same but for `details`, which OAuth appends to the text. */
function isExample({ examples }: MediaType, value: unknown): boolean {
  if (examples === undefined) return true;
  const { error, message, error_description: text = '' } = value as Record<string, string | undefined>;
  return Object.values(examples).some(
    ({ value: example }) =>
      example.error === error &&
      example.message === message &&
      text.startsWith(example.error_description?.split('; ', 1)[0] ?? ''),
  );
}

/** Why a value is none of the schema; undefined when it is one. A schema is compiled once for each worker. */
export function validator(schema: object): Compiled {
  const known = compiled.get(schema);
  if (known !== undefined) return known;
  const type = z.fromJSONSchema(closed(schema) as Parameters<typeof z.fromJSONSchema>[0]);
  const validate: Compiled = (value) => {
    const { error } = type.safeParse(value);
    return error && z.prettifyError(error).replaceAll(/\s+/g, ' ');
  };
  compiled.set(schema, validate);
  return validate;
}

/**
 * A schema whose objects have no fields but the documented ones. A client has to tolerate new fields; the service
 * must not send one that it does not document. References are replaced by their schemas.
 */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  if ('$ref' in schema) return closed(resolved(schema as Reference));
  // Examples and defaults are values, not schemas.
  const {
    examples: _,
    default: __,
    properties,
    ...rest
  } = schema as Record<string, unknown> & {
    properties?: object;
  };
  const inner = closedValues(rest);
  if (properties === undefined) return inner;
  const isOpen = 'additionalProperties' in rest;
  return {
    ...inner,
    properties: closedValues(properties),
    additionalProperties: isOpen ? inner.additionalProperties : false,
  };
}

const closedValues = (schemas: object) =>
  Object.fromEntries(Object.entries(schemas).map(([key, value]) => [key, closed(value)]));

/** The part of the document to which a reference leads. */
export function resolved<T>(value: T | Reference): T {
  if (typeof value !== 'object' || value === null || !('$ref' in value)) return value as T;
  const path = value.$ref.slice('#/'.length).split('/');
  return path.reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], loadedDocument()) as T;
}
