import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { servedPackage } from '../../../../lib/client/package/served-package.ts';

const run = promisify(execFile);

export interface Consumer {
  /** A project with the package in its `node_modules`. */
  directory: string;
  /** The package as installed. */
  installed: string;
  /** The package as a deployment serves it. */
  tarball: string;
  /** Paths in the tarball, sorted. */
  packed: string[];
  /** Runs an ES module of the project in Node.js and returns what it prints. */
  run(source: string): Promise<string>;
}

let installed: Promise<Consumer> | undefined;

/**
 * Unpacks the package as npm does, in the temporary folder of the run; once for all files of a worker. The examples of the README
 * and the guides run it with npx, and install it with npm.
 */
export function installClient(): Promise<Consumer> {
  installed ??= install();
  return installed;
}

async function install(): Promise<Consumer> {
  const directory = await mkdtemp(join(tmpdir(), 'vouchsafe-client-'));
  const installed = join(directory, 'node_modules/vouchsafe-client');
  await mkdir(installed, { recursive: true });
  const tarball = join(directory, 'package.tar');
  await writeFile(tarball, (await servedPackage()).archive);
  const { stdout: listed } = await run('tar', ['-tf', tarball]);
  await run('tar', ['-xf', tarball, '--strip-components=1', '-C', installed]);
  await writeFile(join(directory, 'package.json'), '{ "private": true }');
  // As npm does when it installs a package with a program.
  const program = join(directory, 'node_modules/.bin/vouchsafe-client');
  await mkdir(dirname(program));
  await symlink(join(installed, 'dist/cli.js'), program);
  await chmod(program, 0o755);

  let scripts = 0;
  return {
    directory,
    installed,
    tarball,
    packed: listed.trim().split('\n').sort(),
    async run(text) {
      const script = join(directory, `script-${++scripts}.mjs`);
      await writeFile(script, text);
      return (await run(process.execPath, [script], { cwd: directory, timeout: 100_000 })).stdout;
    },
  };
}
