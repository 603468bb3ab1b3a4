/** For each promise of docs/security.md, the faults by which its tests are known to notice when it is broken. */

import { faults } from './faults/index.ts';
import { promises } from './promises.ts';

const start = '<!-- proofs: npm run planted -- --table writes them -->\n';
const end = '\n<!-- end of the proofs -->';

const proofsOf = (promise: string): string[] =>
  faults
    .filter(({ caughtBy }) => 'promise' in caughtBy && caughtBy.promise === promise)
    .map(({ name, file }) => `${name} (\`${file}\`)`);

export const unproven = (): string[] =>
  promises.filter(({ promise }) => proofsOf(promise).length === 0).map(({ promise }) => promise);

/**
 * The page with the table of proofs as it is now.
 * @throws Error when the page has no place for it.
 */
export function withProofs(page: string): string {
  const [before, rest = ''] = page.split(start);
  const [, after] = rest.split(end);
  if (after === undefined) throw new Error(`The page has no place for the proofs: ${start.trim()}`);
  const rows = promises.map(
    ({ promise, tests }) =>
      `| ${promise} | ${[...new Set(tests.map(({ file }) => `\`${file}\``))].join(', ')} | ${proofsOf(promise).join('; ')} |`,
  );
  const table = ['| promise | tests | faults that they notice |', '|---|---|---|', ...rows].join('\n');
  return `${before}${start}${table}${end}${after}`;
}
