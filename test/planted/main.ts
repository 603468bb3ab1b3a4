/** npm run planted: plants each fault of the list by itself, and expects a test to fail. See docs/robustness.md. */

import { secondMs } from '../../functions/shared/runtime/clock.ts';
import { optionsOrUsage } from '../support/parallel/options.ts';
import { Seeded } from '../support/parallel/seeded.ts';
import { faults } from './faults/index.ts';
import { proofTable } from './proofs.ts';
import { runPlanted } from './run.ts';

if (process.argv[2] === '--table') {
  process.stdout.write(`${proofTable()}\n`);
  process.exit(0);
}

const { bound, seed, workers, only } = optionsOrUsage('planted', process.argv.slice(2), faults.length);
const chosen = new Seeded(seed)
  .shuffled(faults.filter(({ name, file }) => `${file} ${name}`.includes(only)))
  .slice(0, bound);
if (chosen.length === 0) {
  process.stderr.write(`No fault has "${only}" in its name or its file.\n`);
  process.exit(2);
}
process.stdout.write(`${chosen.length} of ${faults.length} faults, seed ${seed}, ${workers} workers\n`);

let run = 0;
const living: string[] = [];
const waiting = chosen.values();
await Promise.all(
  Array.from({ length: workers }, async () => {
    for (const fault of waiting) {
      const startedMs = performance.now();
      const outcome = await runPlanted(fault);
      const seconds = ((performance.now() - startedMs) / secondMs).toFixed(1);
      const verdict = 'lives' in outcome ? `LIVES, ${outcome.lives}` : `caught by "${outcome.caughtBy}"`;
      if ('lives' in outcome) living.push(`${fault.name} (${fault.file})`);
      run += 1;
      process.stdout.write(`${run} of ${chosen.length}, ${seconds} s: ${fault.name}: ${verdict}\n`);
    }
  }),
);

process.stdout.write(`${chosen.length - living.length} of ${chosen.length} planted faults are caught.\n`);
if (living.length > 0) {
  process.stdout.write(`No test catches:\n  ${living.join('\n  ')}\n`);
  process.exitCode = 1;
}
