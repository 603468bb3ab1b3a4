import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { slowFiles } from '../vitest.config.ts';

interface Manifest {
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

const read = (file: string) => JSON.parse(readFileSync(join(import.meta.dirname, '..', file), 'utf8'));
const manifest: Manifest = read('package.json');
const locked: Record<string, Manifest> = read('package-lock.json').packages;

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

test('.editorconfig agrees with the settings of Biome', () => {
  const { formatter } = read('biome.json');
  const editorConfig = readFileSync(join(import.meta.dirname, '../.editorconfig'), 'utf8');
  const [, everywhere = ''] = /^\[\*\]\n([^[]*)/m.exec(editorConfig) ?? [];
  const settings = Object.fromEntries(
    [...everywhere.matchAll(/^(\w+) = (.+)$/gm)].map((line) => line.slice(1)),
  );
  expect(settings).toMatchObject({
    indent_style: formatter.indentStyle,
    indent_size: String(formatter.indentWidth),
    max_line_length: String(formatter.lineWidth),
  });
});

test('the documented scripts exist, and check runs typecheck and lint', () => {
  const { scripts } = read('package.json');
  expect(Object.keys(scripts)).toEqual(
    expect.arrayContaining([
      'start',
      'test',
      'test:fast',
      'test:watch',
      'check',
      'typecheck',
      'lint',
      'format',
      'new-endpoint',
    ]),
  );
  expect(scripts.check).toBe('npm run typecheck && npm run lint');
});

test('every file that npm run test:fast leaves out exists', () => {
  expect(slowFiles.filter((file) => !existsSync(join(import.meta.dirname, '..', file)))).toEqual([]);
});
