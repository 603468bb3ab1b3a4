/** The record of how long the files of tests took, which `npm test` writes and `npm run check` judges. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Durations } from './budgets.ts';

const project = join(import.meta.dirname, '../..');
const record = join(project, 'node_modules/.cache/vouchsafe/durations.json');

/** The last recorded durations of the files that exist; none when no run was recorded. */
export function recordedDurations(): Durations {
  if (!existsSync(record)) return {};
  const all: Durations = JSON.parse(readFileSync(record, 'utf8'));
  return Object.fromEntries(Object.entries(all).filter(([file]) => existsSync(join(project, file))));
}

/** Records the durations of a run. Those of files that did not run stay. */
export function recordDurations(durations: Durations): void {
  mkdirSync(dirname(record), { recursive: true });
  writeFileSync(record, JSON.stringify(Object.assign({}, recordedDurations(), durations), undefined, 1));
}
