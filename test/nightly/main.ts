/**
 * npm run nightly: runs every program whole, one after the other, goes on after a failure, and ends with what failed.
 * `npm run nightly -- faults walks` runs these. `npm run nightly -- --sample` runs the parts that CI runs, up to the first
 * failure. See docs/robustness.md.
 */
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { secondMs } from '../../functions/shared/runtime/duration.ts';
import { printColumns } from '../support/parallel/progress.ts';
import { programs } from './programs.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { sample: { type: 'boolean', default: false } },
});
const unknown = positionals.filter((name) => !programs.some((program) => program.name === name));
if (unknown.length > 0) {
  process.stderr.write(
    `There is no program ${unknown.join(', ')}. There are ${programs.map(({ name }) => name).join(', ')}.\n`,
  );
  process.exit(2);
}

const rows: [name: string, outcome: string, seconds: string, command: string][] = [];
let failed = false;
for (const { name, whole, sample, env } of programs) {
  const command = values.sample ? sample : whole;
  if (command === undefined || (positionals.length > 0 && !positionals.includes(name))) continue;
  process.stdout.write(`\n== ${name}: ${command}\n`);
  const startedMs = performance.now();
  const { status } = spawnSync(command, {
    shell: true,
    stdio: 'inherit',
    env: Object.assign({}, process.env, env),
  });
  const seconds = ((performance.now() - startedMs) / secondMs).toFixed(0);
  rows.push([name, status === 0 ? 'passed' : 'FAILED', `${seconds} s`, command]);
  failed ||= status !== 0;
  if (failed && values.sample) break;
}

if (rows.length === 0) {
  process.stderr.write(`CI has no sample of ${positionals.join(', ')}.\n`);
  process.exit(2);
}
process.stdout.write('\n');
printColumns(rows);
const bad = rows.filter(([, outcome]) => outcome !== 'passed').map(([name]) => name);
process.stdout.write(
  bad.length === 0 ? `All ${rows.length} programs passed.\n` : `Failed: ${bad.join(', ')}.\n`,
);
process.exitCode = failed ? 1 : 0;
