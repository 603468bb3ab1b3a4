import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withLifecycle } from '../lib/lifecycle.ts';

// Writes the diagram and the table of the lifecycle into docs/subscriptions.md.
const file = join(import.meta.dirname, '../docs/subscriptions.md');
await writeFile(file, withLifecycle(await readFile(file, 'utf8')));
