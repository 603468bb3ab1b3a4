/**
 * Compares the responses of the handlers that tests call, in this process or in a local stack that a test starts, with
 * the OpenAPI document. A handler responds as ever. What differs is collected, and `setup.ts` fails the test.
 */

import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import type { LambdaHandler } from '../../../functions/shared/lambda/endpoint.ts';
import { differencesFromDocument } from './differences.ts';

/** A file, because the local stack of some tests is a process of its own. The worker of the tests names it. */
export const differencesFile = 'UNDOCUMENTED_RESPONSES_FILE';

/** The handler of an operation, whose responses are compared. */
export function compared(id: string, handler: LambdaHandler): LambdaHandler {
  return async (event, context) => {
    const result = await handler(event, context);
    for (const difference of differencesFromDocument(id, result)) record(difference);
    return result;
  };
}

function record(difference: string): void {
  appendFileSync(process.env[differencesFile] ?? '', `${difference}\n`);
}

/** The differences since the last call, without repetitions. */
export function takeDifferences(): string[] {
  const file = process.env[differencesFile] ?? '';
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  rmSync(file);
  return [...new Set(lines)];
}
