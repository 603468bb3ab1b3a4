/** Fails a test in which a handler responds as the OpenAPI document does not say. */

import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { differencesFile, takeDifferences } from './handlers.ts';

process.env[differencesFile] ??= join(tmpdir(), `vouchsafe-undocumented-${randomUUID()}`);

function refuseDifferences(): void {
  const differences = takeDifferences();
  if (differences.length === 0) return;
  throw new Error(`The OpenAPI document does not list a response:\n${differences.join('\n')}`);
}

afterEach(refuseDifferences);
// A response in a hook of the file.
afterAll(refuseDifferences);
