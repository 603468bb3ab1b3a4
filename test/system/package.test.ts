import { execFileSync } from 'node:child_process';
import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';

interface Manifest {
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

interface Locked extends Manifest {
  version?: string;
  integrity?: string;
  hasInstallScript?: boolean;
  inBundle?: boolean;
  bin?: Record<string, string>;
  os?: string | string[];
  cpu?: string | string[];
  libc?: string[];
}

const read = (file: string) => JSON.parse(readFileSync(join(import.meta.dirname, '../..', file), 'utf8'));
const manifest: Manifest & { allowScripts: Record<string, boolean> } = read('package.json');
const locked: Record<string, Locked> = read('package-lock.json').packages;

test('every dependency is pinned to one version', () => {
  const { dependencies, devDependencies, optionalDependencies } = manifest;
  for (const [name, version] of Object.entries({
    ...dependencies,
    ...devDependencies,
    ...optionalDependencies,
  })) {
    expect(version, name).toMatch(/^\d+\.\d+\.\d+$/);
  }
});

test('the lock file has the binaries of every platform, or npm ci refuses it elsewhere', () => {
  const folders = Object.keys(locked);
  const missing = Object.values(locked)
    .flatMap((entry) => Object.keys(entry.optionalDependencies ?? {}))
    .filter((name) => !folders.some((folder) => folder.endsWith(`node_modules/${name}`)));
  expect(missing).toEqual([]);
});

test('the lock file names no registry', () => {
  expect(JSON.stringify(locked)).not.toContain('"resolved"');
});

test('the lock file has a hash for every package, the Node.js of each platform included', () => {
  // A bundled package is part of the tarball of its parent, and of its hash.
  const packages = Object.entries(locked).filter(([folder, { inBundle }]) => folder !== '' && !inBundle);
  expect(packages.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))).toEqual([]);
  const nodes = packages.filter(([, { bin }]) => bin?.node !== undefined);
  expect(nodes.map(([, { os, cpu }]) => `${os} ${cpu}`).sort()).toEqual([
    'darwin arm64',
    'darwin x64',
    'linux arm64',
    'linux x64',
    'win32 x64',
  ]);
  for (const [folder, { version }] of nodes) expect(version, folder).toMatch(/^24\./);
});

test('the Node.js of Linux is not installed on Alpine, where its binary does not run', () => {
  // The packages do not say so themselves: add the field again when the lock file is created anew.
  const linux = Object.values(locked).filter(({ bin, os }) => bin?.node !== undefined && os === 'linux');
  expect(linux.map(({ libc }) => libc)).toEqual([['glibc'], ['glibc']]);
});

test('only packages that are named here run a script when they are installed', () => {
  const scripted = Object.entries(locked).filter(([, { hasInstallScript }]) => hasInstallScript);
  expect(scripted.map(([folder]) => folder.split('node_modules/').at(-1)).sort()).toEqual(
    Object.keys(manifest.allowScripts).sort(),
  );
  expect(manifest.allowScripts).toEqual({ esbuild: true });
});

test('npm scripts run on the Node.js of the lock file, wherever one exists for the machine', () => {
  const name = Object.entries(locked).find(
    ([, { bin, os, cpu }]) => bin?.node !== undefined && os === process.platform && cpu === process.arch,
  );
  if (name === undefined) return;
  const [folder, { version }] = name;
  const binary = realpathSync(join(import.meta.dirname, '../../node_modules/.bin/node'));
  expect(binary).toContain(folder);
  expect(execFileSync(binary, ['--version'], { encoding: 'utf8' }).trim()).toBe(`v${version}`);
});
