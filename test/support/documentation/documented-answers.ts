import { isDeepStrictEqual } from 'node:util';
import { errorBody, gatewayErrors } from '../../../functions/shared/contract/errors.ts';
import type { Response } from '../../../lib/openapi/types.ts';
import { documentedOperations, resolved, validator } from './differences.ts';

/** An answer as a client receives it. */
export interface ReceivedAnswer {
  status: number;
  /** By lowercase name. */
  headers: Readonly<Record<string, string>>;
  /** Decoded text. */
  text: string;
}

/**
 * Why an answer is none that the OpenAPI document lists for the operation of a route; undefined when it is one.
 *
 * Answers of the gateway itself, which the document lists as `default`, have exactly the bodies of its errors, with any
 * status.
 */
export function undocumented(id: string, answer: ReceivedAnswer): string | undefined {
  const operation = documentedOperations().get(id);
  if (operation === undefined) return `the document has no operation ${id}`;
  if (isGatewayAnswer(answer)) return undefined;
  const listed = operation.responses[String(answer.status)];
  if (listed === undefined) return `${id} lists no status ${answer.status}`;
  const response = resolved<Response>(listed);
  const type = answer.headers['content-type']?.split(';', 1)[0] ?? '';
  const content = response.content[type];
  if (content === undefined) return `${id} lists no ${type || 'answer without a type'} for ${answer.status}`;
  const problem = validator(content.schema)(type === 'application/json' ? json(answer.text) : answer.text);
  return problem === undefined ? undefined : `${id} ${answer.status}: ${problem}`;
}

/** @throws Error when the document does not list the answer. */
export function assertDocumented(id: string, answer: ReceivedAnswer): void {
  const problem = undocumented(id, answer);
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
