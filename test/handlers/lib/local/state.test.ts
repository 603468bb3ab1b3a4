import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DataDirectoryInUse, openState } from '../../../../lib/local/state.ts';

const folder = mkdtempSync(join(tmpdir(), 'state-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a stored value is there after a reopen, in a directory that is created when absent', () => {
  const directory = join(folder, 'a', 'b');
  const first = openState(directory);
  first.set('thing', { n: 1 });
  first.set('thing', { n: 2 });
  first.close();

  const second = openState(directory);
  expect(second.get('thing')).toEqual({ n: 2 });
  expect(second.get('other')).toBeUndefined();
  expect(second.tablePath).toBe(join(directory, 'table.sqlite'));
  second.close();
});

test('a second stack on the same directory is refused at once, and accepted after the first has ended', () => {
  const directory = join(folder, 'held');
  const first = openState(directory);
  expect(() => openState(directory)).toThrow(DataDirectoryInUse);
  // The refusal does not release the first lock.
  expect(() => openState(directory)).toThrow(/held is in use by another local stack/);
  first.close();
  openState(directory).close();
});

test('a directory that is damaged, of a newer version or not writable is refused with what to do', () => {
  const [damaged, newer] = ['damaged', 'newer'].map((name) => join(folder, name)) as [string, string];
  for (const directory of [damaged, newer]) mkdirSync(directory);
  writeFileSync(join(damaged, 'local.sqlite'), 'x'.repeat(10_000));
  writeFileSync(join(folder, 'file'), '');
  const written = new DatabaseSync(join(newer, 'local.sqlite'));
  written.exec('PRAGMA user_version = 2');
  written.close();
  expect(() => openState(damaged)).toThrow(/damaged\/local\.sqlite is damaged\. .*DATA_DIR=\S+ npm start$/);
  expect(() => openState(newer)).toThrow(
    /newer\/local\.sqlite was written by a newer version .*DATA_DIR=\S+ npm start$/,
  );
  expect(() => openState(join(folder, 'file/data'))).toThrow(
    /file\/data cannot be created or written .*DATA_DIR=\S+ npm start$/,
  );
});
