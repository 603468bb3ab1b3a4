import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { errorBody, gatewayErrors } from '../../functions/shared/contract/errors.ts';
import type { Operation, Reference, Response, Schema } from '../../lib/openapi/types.ts';
import { openApiDocument } from '../../lib/openapi.ts';

/** An answer as a client receives it. */
export interface ReceivedAnswer {
  status: number;
  /** By lowercase name. */
  headers: Readonly<Record<string, string>>;
  /** Decoded text. */
  text: string;
}

const document = openApiDocument({ version: '0' });
const operations = new Map(
  Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).map((operation): [string, Operation] => [operation.operationId, operation]),
  ),
);
const validators = new Map<Schema | Reference, z.ZodType>();

/** The operations of the OpenAPI document by their ids. */
export function documentedOperations(): ReadonlyMap<string, Operation> {
  return operations;
}

/**
 * Why an answer is none that the OpenAPI document lists for the operation; undefined when it is one.
 *
 * Answers of the gateway itself, which the document lists as `default`, have exactly the bodies of its errors, with any
 * status.
 */
export function undocumented(operationId: string, answer: ReceivedAnswer): string | undefined {
  const operation = operations.get(operationId);
  if (operation === undefined) return `the document has no operation ${operationId}`;
  if (isGatewayAnswer(answer)) return undefined;
  const response = operation.responses[String(answer.status)] as Response | undefined;
  if (response === undefined) return `${operationId} lists no status ${answer.status}`;
  const type = answer.headers['content-type']?.split(';', 1)[0] ?? '';
  const content = response.content[type];
  if (content === undefined)
    return `${operationId} lists no ${type || 'answer without a type'} for ${answer.status}`;
  const result = validator(content.schema).safeParse(
    type === 'application/json' ? json(answer.text) : answer.text,
  );
  return result.success ? undefined : `${operationId} ${answer.status}: ${z.prettifyError(result.error)}`;
}

/** @throws Error when the document does not list the answer. */
export function assertDocumented(operationId: string, answer: ReceivedAnswer): void {
  const problem = undocumented(operationId, answer);
  if (problem !== undefined) throw new Error(problem);
}

function isGatewayAnswer({ text }: ReceivedAnswer): boolean {
  const body = json(text);
  return Object.values(gatewayErrors).some(
    (row) => row.status < 500 && isDeepStrictEqual(errorBody(row), body),
  );
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function validator(schema: Schema | Reference): z.ZodType {
  const known = validators.get(schema);
  if (known !== undefined) return known;
  const made = z.fromJSONSchema(resolved(schema) as Parameters<typeof z.fromJSONSchema>[0]);
  validators.set(schema, made);
  return made;
}

/** A schema with the schemas that it refers to in their place. */
function resolved(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(resolved);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { $ref } = schema as Partial<Reference>;
  const name = /^#\/components\/schemas\/(\w+)$/.exec($ref ?? '')?.[1];
  if (name !== undefined) return resolved(document.components.schemas[name]);
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, resolved(value)]));
}
