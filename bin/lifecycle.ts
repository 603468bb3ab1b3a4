import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withLifecycle } from '../lib/lifecycle.ts';

// Updates the diagram and the table of the lifecycle in docs/subscriptions.md.
const file = join(import.meta.dirname, '../docs/subscriptions.md');
await writeFile(file, withLifecycle(await readFile(file, 'utf8')));
