import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import type { Report } from './report.ts';

const root = join(import.meta.dirname, '../..');
const runFile = promisify(execFile);

// biome-ignore lint/suspicious/noExplicitAny: a template has any shape.
export type Json = any;

/** The output of one run of `bin/cdk.ts`. */
export interface Assembly {
  readonly stage: string;
  readonly directory: string;
  /** Templates by file name, nested ones too. */
  readonly templates: ReadonlyMap<string, Json>;
}

export interface Surroundings {
  /** The project's folder; by default this one. */
  readonly project?: string;
  /** Added to the clock of the process. */
  readonly shiftMs?: number;
  readonly timeZone?: string;
}

/** Synthesizes a stage with the real bundles, in a process of its own. */
export async function synthesizeStage(
  stage: string,
  directory: string,
  { project = root, shiftMs = 0, timeZone = 'UTC' }: Surroundings = {},
): Promise<Assembly> {
  const { context } = JSON.parse(readFileSync(join(project, 'cdk.json'), 'utf8'));
  const shift = `const { now } = Date; Date.now = () => now() + ${shiftMs};
    globalThis.Date = class extends Date { constructor(...a) { super(...(a.length ? a : [Date.now()])); } };`;
  const preload = `data:text/javascript,${encodeURIComponent(shift)}`;
  await runFile(process.execPath, ['--import', preload, 'bin/cdk.ts'], {
    cwd: project,
    maxBuffer: 1e8,
    env: {
      ...process.env,
      TZ: timeZone,
      CDK_OUTDIR: directory,
      CDK_CONTEXT_JSON: JSON.stringify(Object.assign(context, { stage, requireSettings: 'false' })),
      // The judge of the templates runs the same validation, with the faults of all severities.
      CDK_VALIDATION: 'false',
    },
  });
  const files = readdirSync(directory).filter((file) => file.endsWith('.template.json'));
  const templates = files.map(
    (file) => [file, JSON.parse(readFileSync(join(directory, file), 'utf8'))] as const,
  );
  return { stage, directory, templates: new Map(templates) };
}

/** Copies what a synthesis reads to another folder, which shares the installed packages. */
export function copyProject(directory: string): string {
  mkdirSync(directory, { recursive: true });
  for (const name of ['bin', 'lib', 'functions', 'cdk.json', 'package.json', 'tsconfig.json']) {
    cpSync(join(root, name), join(directory, name), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'));
  return directory;
}

/**
 * Compares what a deployment uploads: templates, asset manifests and the files of assets, whose folders carry their
 * hash. The files beside them describe the construct tree and its source lines, and are not uploaded.
 */
export function judgeSameBytes(one: Assembly, other: Assembly): Report {
  const first = uploadedFiles(one.directory);
  const second = uploadedFiles(other.directory);
  const names = [...new Set([...first.keys(), ...second.keys()])].sort();
  const faults = names.filter((name) => first.get(name) !== second.get(name));
  return {
    judge: 'same bytes',
    examined: `${names.length} files of two syntheses in two folders, a year and a time zone apart`,
    faults: faults.map((name) => `${name} differs, or is missing from one`),
  };
}

function uploadedFiles(directory: string): Map<string, string> {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const uploaded = files.filter((file) =>
    /^asset\.|\.(template|assets)\.json$/.test(relative(directory, file)),
  );
  return new Map(
    uploaded.map((file) => [
      relative(directory, file),
      createHash('sha256').update(readFileSync(file)).digest('hex'),
    ]),
  );
}
