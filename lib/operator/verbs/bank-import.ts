import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { isObject } from '../../../functions/shared/contract/merge-patch.ts';
import type { Input, Output, Schemas } from '../../client/api.ts';
import { CommandFailed, clientFor, explained } from '../api.ts';
import { UsageError } from '../arguments.ts';
import { readable } from '../print.ts';
import {
  type Connection,
  json,
  type ParsedArguments,
  reasonIn,
  reasonOption,
  requiredText,
  type Terminal,
  textOf,
  type Verb,
} from '../verb.ts';

export const bankImport: Verb = {
  name: 'bank import',
  summary: 'Imports a bank statement: CAMT.053, or CSV with a mapping.',
  positionals: [{ name: 'file', field: 'file' }],
  options: {
    application: requiredText('application', 'id of the application that was paid'),
    mapping: json('mapping', 'how a CSV file is read: JSON, or @file; see the API reference'),
    decisions: json(
      'decisions',
      'decisions about entries: the JSON list that the confirmation takes, or @file',
    ),
    reason: reasonOption,
  },
  asks: true,
  notes: [
    'Reads the file, shows what each entry pays, and asks before anything is recorded. What is recorded already is left',
    'out: a file can be imported again. A command that is interrupted loses nothing; the import goes on.',
  ].join('\n'),
  run: async ({ fields }, { terminal, json: isJson, connection: connect, confirm, show }) => {
    const connection = connect();
    const { statement } = await readStatement(connection, fields);
    const { _id } = statement;
    if (!isJson) terminal.say(`${readable(summaryOf(statement), terminal.columns)}\n\n`);
    if (!(await confirm('Record these payments?'))) return undefined;
    const { body, hasFailed } = await importStatement(connection, _id, fields, isJson ? silent : terminal);
    if (!hasFailed) return { body };
    await show(body);
    const next = 'Read the entries with result=failed, and record their payments.';
    throw new CommandFailed(`Some entries of ${_id} were refused.\n${next}`, {
      code: 'entries_failed',
      next,
    });
  },
};

type Statement = Schemas['BankStatement'];
type Mapping = NonNullable<Input<'createBankStatement'>['mapping']>;
type Decisions = NonNullable<Input<'confirmBankStatement'>['entries']>;

/** The service judges the members of these. */
const isMapping = (value: unknown): value is Mapping => isObject(value);
const isDecisions = (value: unknown): value is Decisions => Array.isArray(value);

const pollMs = 500;
/** Of a read while the import runs, which does not depend on it. */
const maxTries = 6;

/**
 * Reads a file, and lets the API match its entries.
 *
 * @throws UsageError when the file cannot be read; CommandFailed
 */
async function readStatement(
  connection: Connection,
  fields: ParsedArguments['fields'],
): Promise<Output<'createBankStatement', 'application/json'>> {
  const { mapping } = fields;
  if (mapping !== undefined && !isMapping(mapping)) throw new UsageError('--mapping must be an object.');
  const file = gzipSync(contentOf(textOf(fields, 'file'))).toString('base64');
  const client = clientFor(connection, textOf(fields, 'application'));
  const input = mapping === undefined ? { format: 'camt.053' as const } : { format: 'csv' as const, mapping };
  return explained(connection, client.createBankStatement({ ...input, file }, { reason: reasonIn(fields) }));
}

/** The future of entries, by how they match. */
const fates: Readonly<Record<string, string>> = {
  matched: 'paid to its subscription',
  suggested: 'waits for you: decide with --decisions, or apply it later',
  unknown: 'waits for you: apply it later',
  duplicate: 'left out: recorded already',
  reversal: 'left out: look at it',
};

/** The dry run for people. */
function summaryOf({ _id, entries, withdrawals, notBooked, rejected, totals, matches }: Statement): object {
  return {
    statement: _id,
    credits: totals.map(({ currency, amount }) => `${currency} ${amount}`),
    entries,
    withdrawals,
    notBooked,
    rejected: rejected.map(({ problem }) => `left out: ${problem}`),
    matches: Object.entries(matches).map(([match, count]) => ({
      match,
      entries: count,
      fate: fates[match] ?? 'look at it',
    })),
  };
}

/**
 * Confirms a statement, and shows the progress of the import until it ends.
 *
 * @returns the totals, and whether every entry has been recorded or left out.
 * @throws CommandFailed
 */
export async function importStatement(
  connection: Connection,
  statementId: string,
  fields: ParsedArguments['fields'],
  output: Pick<Terminal, 'say' | 'redraws'>,
): Promise<{ body: object; hasFailed: boolean }> {
  const { decisions = [] } = fields;
  if (!isDecisions(decisions)) throw new UsageError('--decisions must be a list.');
  const client = clientFor(connection, textOf(fields, 'application'), maxTries);
  let { statement } = await explained(
    connection,
    client.confirmBankStatement({ id: statementId, entries: decisions }, { reason: reasonIn(fields) }),
  );
  const draw = progress(output);
  draw(statement);
  while (statement.status === 'importing') {
    await sleep(pollMs);
    ({ statement } = await explained(connection, client.getBankStatement({ id: statementId, limit: 1 })));
    draw(statement);
  }
  if (output.redraws) output.say('\n');
  const { status, entries: count, progress: done } = statement;
  const results = Object.entries(done.results).map(([result, entries]) => ({ result, entries }));
  return {
    body: {
      statement: statementId,
      status,
      entries: count,
      results: results.filter(({ entries }) => entries > 0),
    },
    hasFailed: (done.results.failed ?? 0) > 0,
  };
}

/** @throws UsageError */
function contentOf(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch {
    throw new UsageError('The file cannot be read.');
  }
}

const silent = { say() {} };

/** Draws the progress: on a terminal as one line, otherwise as a line for each tenth. */
function progress({ say, redraws }: Pick<Terminal, 'say' | 'redraws'>): (statement: Statement) => void {
  let tenths = -1;
  return ({ entries, progress: { done } }) => {
    const percent = entries === 0 ? 100 : Math.floor((done / entries) * 100);
    const counted = `${String(percent).padStart(3)} %  ${done} of ${entries} entries`;
    if (redraws) say(`\r[${'#'.repeat(Math.floor(percent * 0.3)).padEnd(30, '.')}] ${counted}`);
    else if (Math.floor(percent / 10) > tenths) say(`${counted}\n`);
    tenths = Math.floor(percent / 10);
  };
}
