/** npm run mutants: StrykerJS on the pure modules, and the score by folder. See docs/robustness.md. */
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { changedFiles } from '../support/changed-files.ts';
import { explained, type Report, survivorsOf, without } from './survivors.ts';

const usage = `Usage: npm run mutants [-- --changed | <patterns>...] [-- <options of stryker run>...]
--changed mutates the files that differ from main.`;

const settings: { mutate: string[]; jsonReporter: { fileName: string } } = JSON.parse(
  readFileSync('stryker.config.json', 'utf8'),
);

const args = process.argv.slice(2);
if (args.includes('--help')) {
  process.stdout.write(`${usage}\n`);
  process.exit();
}
const at = args.indexOf('--');
const options = at < 0 ? [] : args.slice(at + 1);
// StrykerJS takes a list, and would split a pattern at its commas.
const patterns = at < 0 ? args : args.slice(0, at);
const named = patterns.flatMap((pattern) => (pattern === '--changed' ? changed() : modulesOf(pattern)));
if (patterns.length > 0 && named.length === 0) {
  process.stdout.write('No pure module differs from main.\n');
  process.exit();
}
rmSync(settings.jsonReporter.fileName, { force: true });
const files = named.length > 0 ? ['--mutate', named.join(',')] : [];
const { status } = spawnSync('npx', ['stryker', 'run', ...files, ...options], { stdio: 'inherit' });
const left = existsSync(settings.jsonReporter.fileName) ? judge(named) : 0;
process.exitCode = left > 0 ? 1 : (status ?? 1);

/** The pure modules that differ from main, new ones included. */
function changed(): string[] {
  const names = changedFiles();
  return pureModules().filter((file) => names.has(file));
}

function pureModules(
  patterns: readonly string[] = settings.mutate.filter((pattern) => !pattern.startsWith('!')),
): string[] {
  const excluded = settings.mutate.filter((pattern) => pattern.startsWith('!')).map((text) => text.slice(1));
  return globSync([...patterns], { exclude: excluded });
}

/** The modules of a pattern. Without one, the program ends. */
function modulesOf(pattern: string): string[] {
  const found = pureModules([pattern]);
  if (found.length > 0) return found;
  process.stderr.write(`There is no module ${pattern}.\n${usage}\n`);
  process.exit(2);
}

/** Writes the scores, and the survivors that differ from those that are explained. @returns how many differ. */
function judge(names: readonly string[]): number {
  const report: Report = JSON.parse(readFileSync(settings.jsonReporter.fileName, 'utf8'));
  writeScores(report, names);
  const ofNamed = (lines: readonly string[]) =>
    lines.filter((line) => names.length === 0 || names.some((name) => line.startsWith(`${name}: `)));
  const found = ofNamed(survivorsOf(report));
  const known = ofNamed(explained());
  const unexplained = without(found, known);
  const gone = without(known, found);
  for (const line of unexplained) process.stdout.write(`neither killed nor explained  ${line}\n`);
  for (const line of gone) process.stdout.write(`explained, and killed by now  ${line}\n`);
  return unexplained.length + gone.length;
}

/** How many mutants of each folder are killed; of each file, when files are named. */
function writeScores(report: Report, names: readonly string[]): void {
  const groups = new Map<string, { caught: number; all: number }>();
  for (const [file, { mutants }] of Object.entries(report.files)) {
    // With files named, an incremental report has the others too, as they were.
    if (names.length > 0 && !names.includes(file)) continue;
    const judged = mutants.filter(
      ({ status }) => !['Ignored', 'CompileError', 'RuntimeError', 'Pending'].includes(status),
    );
    const caught = judged.filter(({ status }) => status === 'Killed' || status === 'Timeout');
    for (const group of [names.length > 0 ? file : dirname(file), 'all']) {
      const sum = groups.get(group) ?? { caught: 0, all: 0 };
      groups.set(group, { caught: sum.caught + caught.length, all: sum.all + judged.length });
    }
  }
  for (const [group, { caught, all }] of groups) {
    const percent = all === 0 ? 100 : (100 * caught) / all;
    process.stdout.write(
      `${percent.toFixed(1).padStart(5)} %  ${`${caught} of ${all}`.padStart(14)}  ${group}\n`,
    );
  }
}
