import type { Payment, PaymentStatus } from '../../ledger/payment.ts';
import { recordReversal } from '../../payments/settle/claims.ts';
import type { PaymentTarget } from '../../payments/settle/incoming-payment.ts';
import { recordReallocation } from '../../payments/settle/reallocate.ts';
import { receivePayment } from '../../payments/settle/receive.ts';
import { foundPayment } from '../../payments/settle/unapplied.ts';
import { defined } from '../../shared/contract/defined.ts';
import { ApiError } from '../../shared/contract/errors.ts';
import { clock, secondMs } from '../../shared/runtime/clock.ts';
import {
  type BankStatement,
  countBy,
  type Decision,
  decisionOf,
  type EntryResult,
  entryCandidates,
  minorPartsOf,
  type ResultKind,
  reversedId,
  type SplitPart,
  type StoredEntry,
} from './statement.ts';
import { statementStore } from './store.ts';

/** The input of an execution, and of its one task. The task returns it, and whether anything is left. */
export interface ImportInput {
  applicationId: string;
  statementId: string;
}

/** How long a run begins further parts. A part takes seconds, and the function has two minutes. */
const workMs = 60 * secondMs;

/** Payments that are recorded at once: each is some three round trips to the table. */
const concurrency = 8;

/**
 * Records the entries of the parts that are not done, for a minute. A run that is killed loses nothing: what it recorded is
 * recorded, and the next run finds it.
 */
export async function importParts(
  input: ImportInput,
  receive = receivePayment,
): Promise<ImportInput & { isDone: boolean }> {
  const startedAtMs = clock.nowMs();
  const { applicationId, statementId } = input;
  let statement = await statementStore.get(applicationId, statementId, startedAtMs);
  while (statement?.status === 'importing' && clock.nowMs() - startedAtMs < workMs) {
    statement = await importPart(statement, receive);
  }
  // A statement that has expired is done.
  return { applicationId, statementId, isDone: statement?.status !== 'importing' };
}

async function importPart(statement: BankStatement, receive: typeof receivePayment): Promise<BankStatement> {
  const { partSizes, partsDone, results: former } = statement;
  const n = partsDone + 1;
  // A statement without entries has no part.
  if (n > partSizes.length) throw new Error('Every part is done, and the statement is not');
  const { entries, results: earlier } = await statementStore.part(statement, n);
  const results =
    earlier ?? (await statementStore.putResults(statement, n, await record(entries, statement, receive)));
  const counts = countBy(results.map(({ result }) => result));
  const isDone = n === partSizes.length;
  return statementStore.advance({
    ...statement,
    partsDone: n,
    results: added(former, counts),
    status: isDone ? 'imported' : 'importing',
    ...defined({ importedAtMs: isDone ? clock.nowMs() : undefined }),
  });
}

function added(one: BankStatement['results'], other: BankStatement['results']): BankStatement['results'] {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return Object.fromEntries([...names].map((name) => [name, (one[name] ?? 0) + (other[name] ?? 0)]));
}

/**
 * Records entries. Those of one subscription follow each other, so that they do not wait for each other's writes; and so do a payment and what
 * takes it back.
 */
async function record(
  entries: readonly StoredEntry[],
  statement: BankStatement,
  receive: typeof receivePayment,
): Promise<EntryResult[]> {
  const groups = new Map<string, StoredEntry[]>();
  const keyByPayment = new Map<string, string>();
  for (const entry of entries) {
    const reversed = reversedBy(entry, decisionOf(entry, statement));
    const own = entryCandidates(entry)[0]?.externalId ?? reversed ?? String(entry.n);
    const key = (reversed && keyByPayment.get(reversed)) ?? own;
    keyByPayment.set(entry.paymentId, key);
    groups.set(key, [...(groups.get(key) ?? []), entry]);
  }
  const waiting = [...groups.values()];
  const results: EntryResult[] = [];
  const work = async () => {
    for (let group = waiting.shift(); group !== undefined; group = waiting.shift()) {
      for (const entry of group) results.push(await recordEntry(entry, statement, receive));
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return results.toSorted((a, b) => a.n - b.n);
}

async function recordEntry(
  entry: StoredEntry,
  statement: BankStatement,
  receive: typeof receivePayment,
): Promise<EntryResult> {
  const { n, match, sourceId, amountMinor, currency, valueAtMs, name, iban, ids } = entry;
  const { applicationId, confirmedAtMs = 0 } = statement;
  if (match === 'duplicate') return { n, result: match };
  const decision = decisionOf(entry, statement);
  if (decision !== undefined && 'skip' in decision) return { n, result: 'skipped' };
  try {
    if (match === 'reversal') return { n, result: await recordBankReversal(entry, decision, statement) };
    const { kind, payment } = await receive({
      applicationId,
      source: 'bank',
      sourceId,
      method: 'bank_transfer',
      amountMinor,
      currency,
      valueAtMs,
      target: targetOf(entry, decision),
      ...defined({
        payer: name === undefined && iban === undefined ? undefined : defined({ name, iban }),
        transferIds: ids,
      }),
      by: 'application',
    });
    // A payment that was recorded before may be that of an earlier run of this import, which was killed.
    const isOwn = kind === 'changed' || payment.recordedAtMs >= confirmedAtMs;
    if (!isOwn) return { n, result: 'duplicate' };
    return { n, result: await divided(payment, splitOf(entry, decision)) };
  } catch (error) {
    // An entry that the subscription refuses for good must not keep the other entries waiting. Contention passes: the task is retried.
    if (!(error instanceof ApiError) || error.code === 'conflict') throw error;
    // Its credit, of the same file, was skipped: there is nothing to take back.
    if (match === 'reversal' && error.code === 'not_found') return { n, result: match };
    return { n, result: 'failed', error: error.code };
  }
}

/** The invoices between which an entry is divided: as the seller decided, else as its payer named them. */
function splitOf(entry: StoredEntry, decision: Decision | undefined): readonly SplitPart[] {
  if (decision === undefined) return 'split' in entry ? entry.split : [];
  return 'invoices' in decision ? minorPartsOf(decision.invoices, entry.currency) : [];
}

/**
 * Divides a payment that waits between invoices. What an invoice does not take waits for the seller: the payment is recorded, whatever
 * refuses a part of it.
 *
 * @returns the status of the payment.
 * @throws ApiError `conflict` when another request moves the money meanwhile: the task is retried.
 */
async function divided(payment: Payment, parts: readonly SplitPart[]): Promise<PaymentStatus> {
  const { applicationId, paymentId, status } = payment;
  if (parts.length === 0 || status !== 'unapplied') return status;
  try {
    const move = { applicationId, paymentId, by: 'application' } as const;
    return (await recordReallocation(move, () => parts, 'The transfer was for several invoices.')).status;
  } catch (error) {
    const isRefused = error instanceof ApiError && error.code !== 'conflict';
    if (!isRefused) throw error;
    // One of the parts can be placed already.
    return (await foundPayment(applicationId, paymentId)).status;
  }
}

const reversedBy = (entry: StoredEntry, decision: Decision | undefined): string | undefined =>
  decision !== undefined && 'paymentId' in decision ? decision.paymentId : reversedId(entry);

/** Takes a payment back. Without one, nothing is done. */
async function recordBankReversal(
  entry: StoredEntry,
  decision: Decision | undefined,
  { applicationId, confirmedAtMs = 0 }: BankStatement,
): Promise<ResultKind> {
  const { sourceId, amountMinor, valueAtMs } = entry;
  const paymentId = reversedBy(entry, decision);
  if (paymentId === undefined) return 'reversal';
  const { payment } = await recordReversal(
    { applicationId, paymentId, by: 'application' },
    { entryId: sourceId, amountMinor, valueAtMs },
    reversalReason,
  );
  const recordedAtMs = payment.claims?.reversals?.entries[sourceId]?.atMs ?? 0;
  return recordedAtMs >= confirmedAtMs ? 'reversed' : 'duplicate';
}

const reversalReason = 'The bank took the transfer back.';

/** The target that the seller decided, else the invoice or the subscription of a match. Otherwise the payment waits, with the payer's text. */
function targetOf(entry: StoredEntry, decision: Decision | undefined): PaymentTarget {
  const { text } = entry;
  // It waits, also when the text is the reference of one client: until it is divided, or applied by a person.
  const isLeft = decision !== undefined && 'unapplied' in decision;
  if (isLeft || splitOf(entry, decision).length > 0) return { waitingText: referenceOf(text) };
  if (decision !== undefined && ('subscriptionId' in decision || 'invoiceId' in decision)) return decision;
  const [candidate] = entry.match === 'matched' ? entry.candidates : [];
  if (candidate === undefined) return { reference: referenceOf(text) };
  const { invoiceId, subscriptionId } = candidate;
  return invoiceId === undefined ? { subscriptionId } : { invoiceId };
}

/** The most that a payer can write in a SEPA credit transfer. */
const maxReference = 140;

/** The payer's text, as the reference of a payment that waits. */
const referenceOf = (text: string) => text.slice(0, maxReference).toWellFormed();
