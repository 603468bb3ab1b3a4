import { actWrites } from '../shared/accounts/audit.ts';
import { sellerCaller } from '../shared/auth/bearer.ts';
import { defined } from '../shared/contract/defined.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import { secondMs } from '../shared/runtime/duration.ts';
import { newId } from '../shared/runtime/ids.ts';
import { takeLease } from '../shared/table/lease.ts';
import { route } from './contracts/create.ts';
import { cursorAfter } from './import/cursor.ts';
import { parseCamt } from './import/file/camt.ts';
import { parseCsv } from './import/file/csv.ts';
import { unpackFile } from './import/file/decode.ts';
import { type ParsedStatement, UnreadableFile } from './import/file/entry.ts';
import { matchEntries } from './import/match.ts';
import { matchStore } from './import/match-store.ts';
import { type BankStatement, countBy, isReversal, type StoredEntry } from './import/statement.ts';
import { partsOf, statementStore } from './import/store.ts';
import { toEntryResponse, toStatementResponse } from './present-statement.ts';
import { defaultEntriesOfPage } from './request-schemas.ts';

type Request = Input<typeof route>;

/** The function ends after 25 seconds. */
const oneAtATime = { group: 'bank-statement', max: 1, maxMs: 30 * secondMs };

/** Reads a file, one at a time of an application: a large one holds a function for seconds. */
export async function createStatement(request: Request): Promise<Output<typeof route>> {
  const { body, caller, rateLimitPassed } = request;
  await rateLimitPassed;
  const nowMs = clock.nowMs();
  const lease = await takeLease(oneAtATime, caller.applicationId, nowMs);
  if (!('release' in lease)) throw new ApiError('rate_limited', lease);
  try {
    return await dryRun(body, caller, nowMs);
  } finally {
    await lease.release();
  }
}

/** Matches the entries of a file with subscriptions, and stores the result. It records no payment. */
async function dryRun(
  body: Request['body'],
  caller: Request['caller'],
  nowMs: number,
): Promise<Output<typeof route>> {
  const { applicationId } = caller;
  const { entries: found, withdrawals, notBooked, rejected } = await parsed(body, nowMs);
  const entries = await matchEntries(applicationId, found, matchStore);
  const parts = partsOf(entries);
  const isEmpty = entries.length === 0;
  const statement: BankStatement = {
    statementId: newId('bst', nowMs),
    applicationId,
    format: body.format,
    status: isEmpty ? 'imported' : 'ready',
    matches: countBy(entries.map(({ match }) => match)),
    totals: totalsOf(entries),
    withdrawals,
    notBooked,
    partSizes: parts.map((part) => part.length),
    partsDone: 0,
    results: {},
    createdAtMs: nowMs,
    ...defined({
      importedAtMs: isEmpty ? nowMs : undefined,
      rejected: rejected.length > 0 ? rejected : undefined,
    }),
  };
  const audit = actWrites(caller, { act: 'bank_statement.uploaded', id: statement.statementId });
  await statementStore.create(statement, parts, audit);
  const shown = entries.slice(0, defaultEntriesOfPage);
  return {
    statement: toStatementResponse(statement),
    entries: shown.map((entry) => toEntryResponse(entry)),
    ...defined({
      nextCursor: shown.length < entries.length ? cursorAfter(statement, undefined, shown.length) : undefined,
    }),
  };
}

/** @throws ApiError `invalid_request`, which says what is wrong with the file. */
async function parsed({ format, file, mapping }: Request['body'], nowMs: number): Promise<ParsedStatement> {
  if (format === 'csv' && mapping === undefined)
    throw new ApiError('invalid_request', { details: { mapping: 'is required for csv' } });
  try {
    const bytes = unpackFile(file);
    return mapping !== undefined && format === 'csv'
      ? await parseCsv(bytes, mapping, nowMs)
      : await parseCamt(bytes, nowMs);
  } catch (error) {
    if (error instanceof UnreadableFile)
      throw new ApiError('invalid_request', { details: { file: error.message } });
    throw error;
  }
}

/**
 * The sums of credits by currency.
 *
 * @throws ApiError `invalid_request` for a sum that a number does not hold exactly.
 */
function totalsOf(entries: readonly StoredEntry[]): Record<string, number> {
  const totals: Record<string, number> = {};
  for (const entry of entries) {
    const { currency, amountMinor } = entry;
    if (!isReversal(entry)) totals[currency] = (totals[currency] ?? 0) + amountMinor;
  }
  if (!Object.values(totals).every(Number.isSafeInteger))
    throw new ApiError('invalid_request', { details: { file: 'has credits with too large a sum' } });
  return totals;
}

export const handler = endpoint(route, createStatement, sellerCaller);
