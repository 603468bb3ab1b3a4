/** The promises of docs/security.md with the tests that show each. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Promised {
  promise: string;
  tests: { file: string; title: string }[];
}

const page = readFileSync(join(import.meta.dirname, '../../docs/security.md'), 'utf8');
const section = page.slice(page.indexOf('## 3. Promises'), page.indexOf('## 4. '));

export const promises: readonly Promised[] = section
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| promise |'))
  .map((line) => {
    const [, promise = '', , tests = ''] = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
    const named = [...tests.matchAll(/`([^`]+)` "([^"]+)"/g)];
    return {
      promise,
      tests: named.map(([, file = '', title = '']) => ({ file, title: title.replaceAll('\\|', '|') })),
    };
  });

/** Matches the titles that a table of cases makes of a title: `%s`, `$id` and `${...}` stand for anything. */
export const titlePattern = (title: string): string =>
  title
    .split(/%[sdifjo]|\$\{[^}]*\}|\$[\w.]+/)
    .map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
    .join('.*');
