/**
 * npm run nightly: runs every program whole, one after the other, goes on after a failure, and ends with the figures of each.
 * `npm run nightly -- faults walks` runs these. `npm run nightly -- --sample` runs the parts that CI runs, up to the first
 * failure. See docs/robustness.md.
 */
import { spawn } from 'node:child_process';
import { parseArgs, stripVTControlCharacters } from 'node:util';
import { secondMs } from '../../functions/shared/runtime/clock.ts';
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

/** Of what a program prints, to find its figures in. */
const keptCharacters = 100_000;
const rows: [name: string, outcome: string, seconds: string, figures: string][] = [];
let failed = false;
for (const { name, whole, sample, figures, env = {} } of programs) {
  const command = values.sample ? sample : whole;
  if (command === undefined || (positionals.length > 0 && !positionals.includes(name))) continue;
  process.stdout.write(`\n== ${name}: ${command}\n`);
  const startedMs = performance.now();
  const { status, lines } = await run(command, env);
  const seconds = ((performance.now() - startedMs) / secondMs).toFixed(0);
  const stated = lines.findLast((line) => figures.test(line)) ?? '';
  rows.push([name, status === 0 ? 'passed' : 'FAILED', `${seconds} s`, stated.trim()]);
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

/** Runs a command, and shows what it prints. @returns also its last lines. */
function run(
  command: string,
  env: Readonly<Record<string, string>>,
): Promise<{ status: number | null; lines: string[] }> {
  const child = spawn(command, {
    shell: true,
    stdio: ['inherit', 'pipe', 'inherit'],
    env: Object.assign({}, process.env, env),
  });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    process.stdout.write(text);
    printed = `${printed}${text}`.slice(-keptCharacters);
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status) => resolve({ status, lines: stripVTControlCharacters(printed).split('\n') }));
  });
}
