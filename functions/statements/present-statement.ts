import { defined } from '../shared/contract/defined.ts';
import { toDecimal } from '../shared/money/money.ts';
import { isoTime } from '../shared/runtime/clock.ts';
import {
  type BankStatement,
  type Candidate,
  doneCount,
  type EntryResult,
  entryCount,
  matchKinds,
  type StoredEntry,
  statementRetentionMs,
} from './import/statement.ts';

/** A statement as the API shows it. */
export function toStatementResponse(statement: BankStatement) {
  const { statementId, format, status, withdrawals, notBooked, totals, matches, results } = statement;
  const { createdAtMs, confirmedAtMs, importedAtMs, rejected = [] } = statement;
  return {
    _id: statementId,
    format,
    status,
    entries: entryCount(statement),
    withdrawals,
    notBooked,
    rejected: rejected.map(({ entry, problem }) => ({ entry, problem })),
    totals: Object.entries(totals)
      // A map of DynamoDB has no order.
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([currency, minor]) => ({ currency, amount: toDecimal(minor, currency) })),
    matches: Object.fromEntries(matchKinds.map((kind) => [kind, matches[kind] ?? 0])),
    progress: { done: doneCount(statement), results: Object.assign({}, noResults, results) },
    createdAt: isoTime(createdAtMs),
    ...defined({
      confirmedAt: confirmedAtMs === undefined ? undefined : isoTime(confirmedAtMs),
      importedAt: importedAtMs === undefined ? undefined : isoTime(importedAtMs),
    }),
    expiresAt: isoTime(createdAtMs + statementRetentionMs),
  };
}

const noResults = {
  processing: 0,
  applied: 0,
  partial: 0,
  credit: 0,
  unapplied: 0,
  refunded: 0,
  disputed: 0,
  returned: 0,
  duplicate: 0,
  skipped: 0,
  reversal: 0,
  failed: 0,
};

/** An entry as the API shows it. @param result what came of it, once its part is done. */
export function toEntryResponse(entry: StoredEntry, result?: EntryResult) {
  const { n, match, amountMinor, currency, valueAtMs, text, name, iban, bankId, candidates = [] } = entry;
  return {
    entryId: String(n),
    match,
    amount: toDecimal(amountMinor, currency),
    currency,
    valueDate: isoTime(valueAtMs).slice(0, 'YYYY-MM-DD'.length),
    text,
    candidates: candidates.map((one) => toCandidateResponse(one, currency)),
    ...defined({
      payerName: name,
      payerIban: iban,
      bankId,
      paymentId: match === 'reversal' ? undefined : entry.paymentId,
      result: result?.result,
      error: result?.error,
    }),
  };
}

function toCandidateResponse(candidate: Candidate, currency: string) {
  const { subscriptionId, externalId, invoiceId, referenceNumber, clientName, dueMinor } = candidate;
  return {
    subscriptionId,
    externalId,
    ...defined({ invoiceId, referenceNumber, clientName }),
    amountDue: toDecimal(dueMinor, currency),
  };
}
