/** The list of planted faults fits the sources as they are. `npm run planted` plants them. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { faults } from '../planted/faults/index.ts';
import { promises } from '../planted/promises.ts';
import { unproven } from '../planted/proofs.ts';

const root = join(import.meta.dirname, '../..');

test.each(faults)('$name: its line stands once in $file, and its promise exists', (fault) => {
  const parts = readFileSync(join(root, fault.file), 'utf8').split(fault.find);
  expect(parts, `${fault.find}\nmust stand exactly once`).toHaveLength(2);
  expect(fault.replace).not.toBe(fault.find);
  expect(promises.map(({ promise }) => promise)).toContain(fault.promise);
});

test('each fault has a name of its own', () => {
  const names = faults.map(({ name }) => name);
  expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
});

test('each promise of docs/security.md has a fault that its tests notice', () => {
  expect(unproven()).toEqual([]);
});
