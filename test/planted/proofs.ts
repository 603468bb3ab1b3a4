/** For each promise of docs/security.md, the faults by which its tests are known to notice when it is broken. */

import { faults } from './faults/index.ts';
import { promises } from './promises.ts';

const proofsOf = (promise: string): string[] =>
  faults.filter((fault) => fault.promise === promise).map(({ name, file }) => `${name} (\`${file}\`)`);

export const unproven = (): string[] =>
  promises.filter(({ promise }) => proofsOf(promise).length === 0).map(({ promise }) => promise);

/** The promises as a table in Markdown: the tests of each, and the faults that they notice. */
export function proofTable(): string {
  const rows = promises.map(
    ({ promise, tests }) =>
      `| ${promise} | ${[...new Set(tests.map(({ file }) => `\`${file}\``))].join(', ')} | ${proofsOf(promise).join('; ')} |`,
  );
  return ['| promise | tests | faults that they notice |', '|---|---|---|', ...rows].join('\n');
}
