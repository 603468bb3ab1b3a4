import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '../../../..');
const run = promisify(execFile);

export interface Consumer {
  /** A project with the package in its `node_modules`. */
  directory: string;
  /** The package as installed. */
  installed: string;
  tarball: string;
  /** Paths in the tarball, sorted. */
  packed: string[];
  /** Runs an ES module of the project in Node.js and returns what it prints. */
  run(source: string): Promise<string>;
}

let installed: Promise<Consumer> | undefined;

/**
 * Packs the package with npm, which builds it first, and unpacks it into a new project, in the temporary folder of the run and
 * without a network; once for all files of a worker.
 */
export function installClient(): Promise<Consumer> {
  installed ??= install();
  return installed;
}

async function install(): Promise<Consumer> {
  const top = await mkdtemp(join(tmpdir(), 'vouchsafe-client-'));
  const source = join(top, 'source/client');
  const directory = join(top, 'consumer');
  const installed = join(directory, 'node_modules/vouchsafe-client');
  await mkdir(installed, { recursive: true });
  await cp(join(root, 'lib/client'), source, {
    recursive: true,
    filter: (path) => basename(path) !== 'dist',
  });
  // The build uses Node.js, esbuild and TypeScript of the project.
  await symlink(join(root, 'node_modules'), join(top, 'source/node_modules'));

  const npm = { npm_config_cache: join(top, 'cache'), npm_config_update_notifier: 'false' };
  await run('npm', ['pack', '--offline', '--silent', '--pack-destination', top], {
    cwd: source,
    env: { ...process.env, ...npm },
  });
  const tarball = join(top, 'vouchsafe-client-0.1.0.tgz');
  const { stdout: listed } = await run('tar', ['-tzf', tarball]);
  await run('tar', ['-xzf', tarball, '--strip-components=1', '-C', installed]);
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
