import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { CommandFailed, type Connection, type Request, requireApplicationId, send } from './api.ts';
import { UsageError } from './arguments.ts';
import type { VerbDescription } from './help.ts';
import { json, requiredText } from './verb.ts';

export const bankImport = {
  name: 'bank import',
  summary: 'Imports a bank statement: CAMT.053, or CSV with a mapping.',
  path: '{file}',
  options: {
    application: requiredText('application', 'id of the application that was paid'),
    mapping: json('mapping', 'how a CSV file is read: JSON, or @file; see the API reference'),
    decisions: json(
      'decisions',
      'decisions about entries: the JSON list that the confirmation takes, or @file',
    ),
  },
  confirmation: 'Record these payments?',
  notes: [
    'Reads the file, shows what each entry pays, and asks before anything is recorded. What is recorded already is left',
    'out: a file can be imported again. A command that is interrupted loses nothing; the import goes on.',
  ].join('\n'),
} as const satisfies VerbDescription;

/** Where the command writes while it works. */
export interface ProgressOutput {
  /** Writes to standard error. */
  say(text: string): void;
  /** Whether standard error is a terminal, on which a line is drawn again. */
  redraws: boolean;
}

/** A statement as the API shows it, as far as the command reads it. */
interface Statement {
  _id: string;
  status: string;
  entries: number;
  withdrawals: number;
  notBooked: number;
  rejected: readonly { entry: number; problem: string }[];
  totals: readonly { currency: string; amount: number }[];
  matches: Readonly<Record<string, number>>;
  progress: { done: number; results: Readonly<Record<string, number>> };
}

interface Entry {
  match: string;
}

const path = '/api/v1/bank-statements';
const pollMs = 500;
/** Answers that may fail in a row while the import runs: it does not depend on them. */
const maxFailures = 5;

/**
 * Reads a file, and lets the API match its entries.
 *
 * @throws UsageError when the file cannot be read; CommandFailed
 */
export async function readStatement(
  connection: Connection,
  { file, fields }: { file: string; fields: Readonly<Record<string, unknown>> },
): Promise<{ statement: Statement; entries: readonly Entry[] }> {
  const { mapping } = fields;
  const body = {
    format: mapping === undefined ? 'camt.053' : 'csv',
    file: gzipSync(contentOf(file)).toString('base64'),
    mapping,
  };
  return (await send(connection, requestOf(fields, { method: 'POST', target: path, body }))) as {
    statement: Statement;
    entries: readonly Entry[];
  };
}

/** The dry run for people: what happens with each kind of entry. */
export function summaryOf({ statement }: { statement: Statement }): object {
  const { _id, entries, withdrawals, notBooked, rejected, totals, matches } = statement;
  const fates = {
    matched: 'paid to its subscription',
    suggested: 'waits for you: decide with --decisions, or apply it later',
    unknown: 'waits for you: apply it later',
    duplicate: 'left out: recorded already',
    reversal: 'left out: look at it',
  };
  return {
    statement: _id,
    credits: totals.map(({ currency, amount }) => `${currency} ${amount}`),
    entries,
    withdrawals,
    notBooked,
    rejected: rejected.map(({ problem }) => `left out: ${problem}`),
    matches: Object.entries(fates).map(([match, fate]) => ({ match, entries: matches[match] ?? 0, fate })),
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
  fields: Readonly<Record<string, unknown>>,
  output: ProgressOutput,
): Promise<{ body: object; hasFailed: boolean }> {
  const target = `${path}/${encodeURIComponent(statementId)}`;
  const { decisions: entries = [] } = fields;
  const confirmed = await send(
    connection,
    requestOf(fields, { method: 'POST', target: `${target}/confirm`, body: { entries } }),
  );
  const draw = progress(output);
  let { statement } = confirmed as { statement: Statement };
  let failures = 0;
  draw(statement);
  while (statement.status === 'importing') {
    await sleep(pollMs);
    try {
      const request = requestOf(fields, { method: 'GET', target: `${target}?limit=1` });
      ({ statement } = (await send(connection, request)) as { statement: Statement });
      failures = 0;
    } catch (error) {
      failures += 1;
      if (failures > maxFailures) throw error;
    }
    draw(statement);
  }
  if (output.redraws) output.say('\n');
  const results = Object.entries(statement.progress.results).filter(([, count]) => count > 0);
  return {
    body: {
      statement: statementId,
      status: statement.status,
      entries: statement.entries,
      results: results.map(([result, count]) => ({ result, entries: count })),
    },
    hasFailed: (statement.progress.results.failed ?? 0) > 0,
  };
}

function requestOf({ application }: Readonly<Record<string, unknown>>, request: Request): Request {
  return { ...request, applicationId: requireApplicationId(String(application)) };
}

/** @throws UsageError */
function contentOf(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch {
    throw new UsageError('The file cannot be read.');
  }
}

const barWidth = 30;
/** Without a terminal, a line is written for each step of this many percent. */
const stepPercent = 10;

/** Draws the progress: on a terminal as one line, otherwise as a line now and then. */
function progress({ say, redraws }: ProgressOutput): (statement: Statement) => void {
  let shown = -1;
  return ({ entries, progress: { done } }) => {
    const percent = entries === 0 ? 100 : Math.floor((done / entries) * 100);
    const counted = `${String(percent).padStart(3)} %  ${done} of ${entries} entries`;
    if (redraws) {
      const filled = Math.floor((percent / 100) * barWidth);
      say(`\r[${'#'.repeat(filled).padEnd(barWidth, '.')}] ${counted}`);
    } else if (percent >= shown + stepPercent || (percent === 100 && shown < 100)) {
      shown = percent - (percent % stepPercent);
      say(`${counted}\n`);
    }
  };
}

/** The failure of an import whose entries were refused. */
export function refusedEntries(statementId: string): CommandFailed {
  const next = 'Read the entries with result=failed, and record their payments.';
  return new CommandFailed(`Some entries of ${statementId} were refused.\n${next}`, {
    code: 'entries_failed',
    next,
  });
}
