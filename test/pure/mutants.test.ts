/** The modules that `npm run mutants` changes exist. A pattern without a module would be passed over. */

import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { explained } from '../mutants/survivors.ts';
import { programs } from '../nightly/programs.ts';

const root = join(import.meta.dirname, '../..');
const { mutate }: { mutate: string[] } = JSON.parse(readFileSync(join(root, 'stryker.config.json'), 'utf8'));

/** A pattern for each name in the braces of a pattern. */
function expanded(pattern: string): string[] {
  const [, before, names = '', after] = /^(.*)\{(.*)\}(.*)$/.exec(pattern) ?? [];
  return before === undefined ? [pattern] : names.split(',').map((name) => `${before}${name}${after}`);
}

test.each(mutate.map((pattern) => pattern.replace('!', '')).flatMap(expanded))(
  '%s names a module',
  (pattern) => {
    expect(globSync(pattern, { cwd: root, exclude: ['node_modules'] })).not.toEqual([]);
  },
);

test('the sample of CI and the explained survivors are of modules that exist', () => {
  const sample = programs.find(({ name }) => name === 'mutants')?.sample?.match(/\S+\.ts/g) ?? [];
  expect(sample.length).toBeGreaterThan(0);
  const modules = [...sample, ...explained().map((line) => line.slice(0, line.indexOf(': ')))];
  expect(modules.filter((module) => !existsSync(join(root, module)))).toEqual([]);
});
