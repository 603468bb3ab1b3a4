import { spawn } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { minuteMs } from '../../functions/shared/runtime/clock.ts';
import type { PlantedFault } from './fault.ts';
import { planted, plantedFault } from './plant.ts';
import { promises, titlePattern } from './promises.ts';

/** The test that failed first, or why the fault counts as living. */
type Outcome = { caughtBy: string } | { lives: string };

interface JsonReport {
  testResults: {
    name: string;
    message: string;
    assertionResults: { status: string; fullName: string }[];
  }[];
}

const root = join(import.meta.dirname, '../..');
const vitest = join(root, 'node_modules/vitest/vitest.mjs');

/**
 * Runs the tests that must catch a fault with the fault planted. A module that does not load catches nothing: a test has
 * to fail.
 */
export async function runPlanted(fault: PlantedFault): Promise<Outcome> {
  const { files, titles } = expectedTests(fault);
  const folder = await mkdtemp(join(tmpdir(), 'vouchsafe-planted-'));
  const output = join(folder, 'report.json');
  const only = ['-t', `(?:${titles.join('|')})`];
  try {
    const place = await placeOf(fault, files, folder);
    const reported = ['--reporter', 'json', '--outputFile', output];
    const printed = await runVitest(place, [...files, ...projectsOf(files), ...only, ...reported]);
    const report = await readFile(output, 'utf8').catch(() => undefined);
    return report === undefined ? { lives: `Vitest did not run: ${printed}` } : judged(JSON.parse(report));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The layers of the files alone: Vitest starts a server for each. */
const projectsOf = (files: readonly string[]): string[] =>
  [...new Set(files.map((file) => file.split('/')[1]))].map((layer) => `--project=${layer}`);

function expectedTests(fault: PlantedFault): { files: readonly string[]; titles: string[] } {
  const tests = promises.find(({ promise }) => promise === fault.promise)?.tests ?? [];
  return {
    files: [...new Set(tests.map(({ file }) => file))],
    titles: tests.map(({ title }) => titlePattern(title)),
  };
}

/** Where Vitest runs, and what it plants there. */
interface Place {
  cwd: string;
  env: Readonly<Record<string, string>>;
  /** Of Vitest. No other run uses what it keeps of a copy. */
  options: readonly string[];
}

/**
 * Tests of the system and of tools start processes, bundle and read files, where no plugin of Vitest plants anything. They run in a
 * copy of the project whose file has the fault.
 */
async function placeOf(fault: PlantedFault, files: readonly string[], folder: string): Promise<Place> {
  if (!files.some((file) => /^test\/(system|tools)\//.test(file)))
    return { cwd: root, env: { [plantedFault]: JSON.stringify(fault) }, options: [] };
  const copy = join(folder, 'project');
  await cp(root, copy, { recursive: true, filter: (path) => !notCopied.has(relative(root, path)) });
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
  const path = join(copy, fault.file);
  await writeFile(path, planted(fault, await readFile(path, 'utf8')));
  return { cwd: copy, env: {}, options: ['--fsModuleCache=false'] };
}

const notCopied: ReadonlySet<string> = new Set([
  'node_modules',
  '.git',
  '.local',
  'cdk.out',
  'docs/screenshots',
]);

/** A fault that lets a test run on and on ends no run by itself. */
const longestRunMs = 5 * minuteMs;

/** @returns the end of what it printed. */
function runVitest({ cwd, env, options }: Place, args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [vitest, 'run', ...args, ...options], {
    cwd,
    env: Object.assign({}, process.env, env),
    // Its workers end with it.
    timeout: longestRunMs,
    killSignal: 'SIGKILL',
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      printed = `${printed}${chunk}`.slice(-2_000);
    });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', () => resolve(printed));
  });
}

function judged({ testResults }: JsonReport): Outcome {
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const failed = tests.find(({ status }) => status === 'failed');
  if (failed !== undefined) return { caughtBy: failed.fullName };
  const broken = testResults.find(({ message }) => message !== '');
  if (broken !== undefined) return { lives: `No test ran: ${broken.message}` };
  const ran = tests.filter(({ status }) => status === 'passed').length;
  return { lives: ran === 0 ? 'no test has these titles' : `${ran} tests passed` };
}
