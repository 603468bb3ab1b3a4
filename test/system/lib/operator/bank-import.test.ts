import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { camt, entryXml } from '../../../support/statements/bank-files.ts';
import { localOperator, operateHere, runProgram } from './program.ts';

const folder = mkdtempSync(join(tmpdir(), 'bank-import-'));
let operator: Awaited<ReturnType<typeof localOperator>>;
beforeAll(async () => {
  operator = await localOperator();
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The command line of an import, and what the program has of its environment. */
function commandLine(content: string, more: readonly string[]) {
  const file = join(folder, 'statement');
  writeFileSync(file, content);
  return {
    args: ['bank', 'import', file, '--application', operator.applicationId, ...more],
    env: { ...process.env, ...operator.env },
  };
}

async function importWithProgram(content: string, ...more: string[]) {
  const { args, env } = commandLine(content, more);
  return runProgram(args, env);
}

async function bankImport(content: string, ...more: string[]) {
  const { args, env } = commandLine(content, more);
  return operateHere(args, env);
}

const entries = (count: number) =>
  Array.from({ length: count }, (_, i) => entryXml({ bankId: `OP-${i}`, amount: `${i + 1}.00` }));

test('a file is shown, imported with plain lines of progress, and imported again without effect', async () => {
  const reason = 'Nachtrag für März.';
  const first = await importWithProgram(camt(entries(30)), '--yes', '--reason', reason);
  expect([first.code, first.err]).toEqual([0, expect.stringContaining('EUR 465')]);
  expect(first.err).toMatch(/unknown +30 +waits for you/);
  expect(first.err).toContain('100 %  30 of 30 entries\n');
  expect(first.err).not.toContain('\r');
  expect(first.out).toMatch(/unapplied +30/);
  const again = await bankImport(camt(entries(30)), '--yes', '--json');
  expect([again.code, again.err]).toEqual([0, '']);
  expect(JSON.parse(again.out)).toMatchObject({
    status: 'imported',
    results: [{ result: 'duplicate', entries: 30 }],
  });
  const { actions } = await operator.json(['action', 'list', '--application', operator.applicationId]);
  const withReason = actions.filter((one: { reason?: string }) => one.reason === reason);
  expect(withReason.map(({ action }: { action: string }) => action).sort()).toEqual([
    'bank_statement.confirmed',
    'bank_statement.uploaded',
  ]);
});

test('CSV is read with a mapping, and decisions are sent', async () => {
  const mapping = { columns: { date: 'Date', amount: 'Amount' }, amounts: 'credits', currency: 'EUR' };
  const decisions = [{ entryId: '1', skip: true }];
  const { code, out } = await bankImport(
    'Date,Amount\n2026-11-20,5.00\n2026-11-21,6.00\n',
    ...['--mapping', JSON.stringify(mapping), '--decisions', JSON.stringify(decisions), '--yes', '--json'],
  );
  expect(code).toBe(0);
  expect(JSON.parse(out).results).toEqual([
    { result: 'unapplied', entries: 1 },
    { result: 'skipped', entries: 1 },
  ]);
});
