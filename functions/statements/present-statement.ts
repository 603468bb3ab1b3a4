import type { SellerCaller } from '../shared/contract/callers.ts';
import { defined } from '../shared/contract/defined.ts';
import { toDecimal } from '../shared/money/money.ts';
import { isoTime } from '../shared/runtime/clock.ts';
import type { Decided } from './import/decision-authors.ts';
import {
  type BankStatement,
  type Candidate,
  doneCount,
  type EntryResult,
  entryCandidates,
  entryCount,
  isReversal,
  matchKinds,
  type ReversedPayment,
  resultKinds,
  reversedId,
  type StoredEntry,
  statementRetentionMs,
} from './import/statement.ts';

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
    decisionsVersion: statement.decisionsVersion,
    createdAt: isoTime(createdAtMs),
    ...defined({
      confirmedAt: confirmedAtMs === undefined ? undefined : isoTime(confirmedAtMs),
      importedAt: importedAtMs === undefined ? undefined : isoTime(importedAtMs),
    }),
    expiresAt: isoTime(createdAtMs + statementRetentionMs),
  };
}

const noResults = Object.fromEntries(resultKinds.map((kind) => [kind, 0]));

/** A decision as the API shows it. An application does not learn which operator made it. */
export function toDecisionResponse({ decision, by }: Decided, caller: SellerCaller) {
  const kind = 'operator' as const;
  const isNamed = caller.by === 'operator' && by !== undefined;
  const author = isNamed ? { kind, id: by.keyId, name: by.name } : { kind };
  const made = 'invoices' in decision ? { invoices: [...decision.invoices] } : decision;
  return { ...made, ...defined({ by: by && author }) };
}

/** An entry as the API shows it. @param more the decision about it, and what came of it, once its part is done. */
export function toEntryResponse(
  entry: StoredEntry,
  { decision, result }: { decision?: ReturnType<typeof toDecisionResponse>; result?: EntryResult } = {},
) {
  const { n, match, amountMinor, currency, valueAtMs, text, name, iban, bankId } = entry;
  const payments = 'payments' in entry ? entry.payments : undefined;
  const split = 'split' in entry ? entry.split : undefined;
  return {
    entryId: String(n),
    match,
    amount: toDecimal(amountMinor, currency),
    currency,
    valueDate: dayText(valueAtMs),
    text,
    candidates: entryCandidates(entry).map((one) => toCandidateResponse(one, currency)),
    ...defined({
      reversedPayments: payments?.map((one) => toReversedResponse(one, currency)),
      split: split?.map(({ invoiceId, amountMinor }) => ({
        invoiceId,
        amount: toDecimal(amountMinor, currency),
      })),
      payerName: name,
      payerIban: iban,
      bankId,
      paymentId: isReversal(entry) ? reversedId(entry) : entry.paymentId,
      message: messageOf(entry),
      decision,
      result: result?.result,
      error: result?.error,
    }),
  };
}

function toReversedResponse(
  { paymentId, amountMinor, valueAtMs, externalId, name }: ReversedPayment,
  currency: string,
) {
  return {
    paymentId,
    amount: toDecimal(amountMinor, currency),
    valueDate: dayText(valueAtMs),
    ...defined({ externalId, payerName: name }),
  };
}

const dayText = (atMs: number) => isoTime(atMs).slice(0, 'YYYY-MM-DD'.length);

/** The steps of the seller for a reversal that takes no payment back by itself. */
function messageOf(entry: StoredEntry): string | undefined {
  if (entry.match !== 'reversal' || reversedId(entry) !== undefined) return undefined;
  if (!('payments' in entry))
    return 'The bank gave a withdrawal back: this is no income, and nothing is recorded. If you had returned a payment with it, return it again.';
  if (entry.payments.length > 0)
    return 'Several payments can be meant, or it is not certain that this one is. Decide with `paymentId` when you confirm.';
  return 'No payment is known that this takes back. Find it with `GET /api/v1/payments`, and decide with its `paymentId` when you confirm. Nothing is recorded without it.';
}

function toCandidateResponse(candidate: Candidate, currency: string) {
  const { subscriptionId, externalId, invoiceId, invoiceNumber, referenceNumber, clientName, dueMinor } =
    candidate;
  return {
    subscriptionId,
    externalId,
    ...defined({ invoiceId, invoiceNumber, referenceNumber, clientName }),
    amountDue: toDecimal(dueMinor, currency),
  };
}
