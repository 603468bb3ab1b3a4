import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withLifecycle } from '../lib/reference/lifecycle.ts';

// Updates the diagram and the table of the lifecycle in docs/subscriptions.md.
const file = join(import.meta.dirname, '../docs/subscriptions.md');
const before = await readFile(file, 'utf8');
const after = withLifecycle(before);
await writeFile(file, after);
process.stdout.write(`docs/subscriptions.md ${before === after ? 'was up to date' : 'is updated'}.\n`);
