import { once } from 'node:events';
import { defined } from '../../shared/contract/defined.ts';
import { ApiError } from '../../shared/contract/errors.ts';
import { secondMs } from '../../shared/runtime/clock.ts';
import { newId } from '../../shared/runtime/ids.ts';
import { takeLease } from '../../shared/table/lease.ts';
import type { Write } from '../../subscriptions/commands/subscription-store.ts';
import { parseCamt } from './file/camt.ts';
import { type CsvMapping, parseCsv } from './file/csv.ts';
import { unpackFile } from './file/decode.ts';
import { type ParsedStatement, UnreadableFile } from './file/entry.ts';
import { matchEntries } from './match.ts';
import { matchStore } from './match-store.ts';
import { type BankStatement, countBy, isReversal, type StoredEntry } from './statement.ts';
import { partsOf, statementStore } from './store.ts';

/** A file as a person sends it: as the bank gave it, or packed with gzip. CSV needs a mapping. */
export interface StatementFile {
  readonly format: BankStatement['format'];
  readonly bytes: Uint8Array;
  readonly mapping?: CsvMapping | undefined;
}

/** The function ends after 25 seconds. */
const oneAtATime = { group: 'bank-statement', max: 1, maxMs: 30 * secondMs };

/** Leaves as much of the time of the function as the release of the lease can take, with all its attempts. */
const maxReadingMs = 15 * secondMs;

/**
 * Matches the entries of a file with subscriptions, and stores the result. It records no payment. A large file holds a function
 * for seconds: an application has one read at a time, and a reading ends after its time.
 *
 * @param auditOf the writes of the record of the operator, if one sends it.
 * @throws ApiError `rate_limited` while another file of the application is read; `invalid_request` with what is wrong with this one, or
 * when its time is over.
 */
export async function dryRun(
  applicationId: string,
  file: StatementFile,
  options: DryRunOptions,
): Promise<DryRun> {
  const { nowMs, auditOf, maxMs = maxReadingMs } = options;
  const lease = await takeLease(oneAtATime, applicationId, nowMs);
  if (!('release' in lease)) throw new ApiError('rate_limited', lease);
  const signal = AbortSignal.timeout(maxMs);
  const isOver = once(signal, 'abort').then(() => {
    throw new UnreadableFile(
      `took more than ${maxReadingMs / secondMs} seconds, and nothing is recorded: export shorter periods, and send them one after the other`,
    );
  });
  try {
    const read = await Promise.race([isOver, reading(applicationId, file, { nowMs, signal })]);
    // A write is not raced: it ends when it ends, and the answer is about what is recorded.
    await statementStore.create(read.statement, partsOf(read.entries), auditOf(read.statement.statementId));
    return read;
  } catch (error) {
    if (error instanceof UnreadableFile)
      throw new ApiError('invalid_request', { details: { file: error.message } });
    throw error;
  } finally {
    await lease.release();
  }
}

interface DryRunOptions {
  readonly nowMs: number;
  readonly auditOf: (statementId: string) => readonly Write[];
  readonly maxMs?: number;
}

interface DryRun {
  readonly statement: BankStatement;
  readonly entries: readonly StoredEntry[];
}

/** Reads a file, and writes nothing. @param signal ends the reading. */
async function reading(
  applicationId: string,
  file: StatementFile,
  { nowMs, signal }: { nowMs: number; signal: AbortSignal },
): Promise<DryRun> {
  const { entries: found, withdrawals, notBooked, rejected } = await parsed(file, { nowMs, signal });
  const entries = await matchEntries(applicationId, found, matchStore);
  const parts = partsOf(entries);
  const isEmpty = entries.length === 0;
  const statement: BankStatement = {
    statementId: newId('bst', nowMs),
    applicationId,
    format: file.format,
    status: isEmpty ? 'imported' : 'ready',
    matches: countBy(entries.map(({ match }) => match)),
    totals: totalsOf(entries),
    withdrawals,
    notBooked,
    partSizes: parts.map((part) => part.length),
    partsDone: 0,
    decisions: {},
    decisionsVersion: 0,
    authors: {},
    results: {},
    createdAtMs: nowMs,
    ...defined({
      importedAtMs: isEmpty ? nowMs : undefined,
      rejected: rejected.length > 0 ? rejected : undefined,
    }),
  };
  return { statement, entries };
}

async function parsed(
  { format, bytes: packed, mapping }: StatementFile,
  { nowMs, signal }: { nowMs: number; signal: AbortSignal },
): Promise<ParsedStatement> {
  if (format === 'csv' && mapping === undefined)
    throw new ApiError('invalid_request', { details: { mapping: 'is required for csv' } });
  const bytes = unpackFile(packed);
  return mapping !== undefined && format === 'csv'
    ? parseCsv(bytes, mapping, nowMs)
    : parseCamt(bytes, nowMs, signal);
}

/** The sums of credits by currency. @throws UnreadableFile for a sum that a number does not hold exactly. */
function totalsOf(entries: readonly StoredEntry[]): Record<string, number> {
  const totals: Record<string, number> = {};
  for (const entry of entries) {
    const { currency, amountMinor } = entry;
    if (!isReversal(entry)) totals[currency] = (totals[currency] ?? 0) + amountMinor;
  }
  if (!Object.values(totals).every(Number.isSafeInteger))
    throw new UnreadableFile('has credits with too large a sum');
  return totals;
}
