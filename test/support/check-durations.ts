/** Fails when tests took longer than they may: part of `npm run check`. See CONTRIBUTING.md. */
import { overBudget } from './budgets.ts';
import { recordedDurations } from './durations.ts';

const durations = recordedDurations();
const count = Object.keys(durations).length;
const problems = overBudget(durations);
process.stdout.write(
  count === 0
    ? 'No durations of tests are recorded: npm test records them.\n'
    : `Durations of ${count} files of tests are recorded, and ${problems.length} are over budget.\n`,
);
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
