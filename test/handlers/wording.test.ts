import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { openApiDocument } from '../../lib/openapi/openapi.ts';

const root = join(import.meta.dirname, '../..');

/** Not written by the project, or not kept with it. This file names what it looks for. */
const excluded = new Set([
  '.git',
  '.local',
  'cdk.out',
  'dist',
  'node_modules',
  'package-lock.json',
  'wording.test.ts',
]);

function files(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true })
    .filter(({ name }) => !excluded.has(name))
    .flatMap((entry) => {
      const path = join(directory, entry.name);
      if (entry.isDirectory()) return files(path);
      return entry.isFile() && /\.(tsx?|mjs|json|md|grit|html)$/.test(entry.name) ? [path] : [];
    });
}

const genderedPronoun = /\b(he|him|his|himself|she|her|hers|herself)\b/i;

/** The lines with a gendered pronoun, each as `name:line: text`. */
function genderedLines(name: string, text: string): string[] {
  return text
    .split('\n')
    .flatMap((line, i) => (genderedPronoun.test(line) ? [`${name}:${i + 1}: ${line.trim()}`] : []));
}

test('no comment begins with a clause that stands for its noun', () => {
  const sources = files(root).filter((path) => path.endsWith('.ts') || path.endsWith('.tsx'));
  const lines = sources.flatMap((path) =>
    readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => /(\/\*\*|^\s*\*|\/\/) What /.test(line))
      .map((line) => `${relative(root, path)}: ${line.trim()}`),
  );
  expect(lines).toEqual([]);
});

test('sources and documentation use no gendered pronoun', () => {
  const sources = files(root).map((path) => genderedLines(relative(root, path), readFileSync(path, 'utf8')));
  expect(sources.flat()).toEqual([]);
});

test('the OpenAPI document uses no gendered pronoun', () => {
  const document = JSON.stringify(openApiDocument({ version: '1.0.0' }), null, 1);
  expect(genderedLines('openapi.json', document)).toEqual([]);
});
