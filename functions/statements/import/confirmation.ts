import { ApiError } from '../../shared/contract/errors.ts';
import { startExecutionOf } from '../../shared/lambda/executions.ts';
import * as env from '../../shared/runtime/env.ts';
import { type NewId, newId } from '../../shared/runtime/ids.ts';
import type { Write } from '../../subscriptions/commands/subscription-store.ts';
import { decidedOn, notedDecisions } from './decision-authors.ts';
import type { ImportInput } from './import-parts.ts';
import { matchStore } from './match-store.ts';
import {
  type BankStatement,
  type Decision,
  type Decisions,
  minorPartsOf,
  partOf,
  type StoredEntry,
} from './statement.ts';
import { areSame, statementStore } from './store.ts';

/**
 * Confirms a statement once, and starts its import. A repeat starts an import that has failed again.
 *
 * @param by who confirms: `keyId` of an operator, and the writes of their record with what it says of matches that they override and of
 * decisions of other people.
 * @returns the statement as it is then; undefined when decisions were kept since it was read.
 * @throws ApiError `invalid_request` as {@link requirePossible}; `conflict` when it was confirmed with other decisions.
 */
export async function confirmImport(
  statement: BankStatement,
  decisions: Decisions,
  { nowMs, keyId, auditOf }: Confirmer,
): Promise<BankStatement | undefined> {
  const entries = statement.status === 'ready' ? await requirePossible(statement, decisions) : [];
  const noted = notedDecisions(entries, (n) => decidedOn({ ...statement, decisions }, n), keyId);
  if (statement.partSizes.length === 0) return statement;
  const confirmed = await statementStore.confirm(statement, decisions, nowMs, auditOf(noted));
  if (confirmed.status === 'ready') return undefined;
  if (!areSame(confirmed.decisions, decisions))
    throw new ApiError('conflict', {
      details: { entries: 'differ from those that the statement was confirmed with' },
    });
  if (confirmed.status === 'importing') await startImport(confirmed, nowMs);
  return confirmed;
}

interface Confirmer {
  readonly nowMs: number;
  readonly keyId: string | undefined;
  readonly auditOf: (before: Readonly<Record<string, unknown>> | undefined) => readonly Write[];
}

/**
 * @returns the entries of the parts that the decisions are about.
 * @throws ApiError `invalid_request` when a decision is about an entry that takes none, or names a record that does not exist.
 */
export async function requirePossible(
  statement: BankStatement,
  decisions: Decisions,
): Promise<readonly StoredEntry[]> {
  const numbers = Object.keys(decisions).map(Number);
  const parts = [...new Set(numbers.map((n) => partOf(statement.partSizes, n)?.part))];
  const all = Object.values(decisions).map(({ decision }) => decision);
  const subscriptionIds = all.flatMap((one) => ('subscriptionId' in one ? [one.subscriptionId] : []));
  const invoiceIds = all.flatMap((one) => {
    if ('invoices' in one) return one.invoices.map(({ invoiceId }) => invoiceId);
    return 'invoiceId' in one ? [one.invoiceId] : [];
  });
  const paymentIds = all.flatMap((one) => ('paymentId' in one ? [one.paymentId] : []));
  const [read, owned, recorded] = await Promise.all([
    Promise.all(
      parts.filter((part) => part !== undefined).map((part) => statementStore.part(statement, part)),
    ),
    matchStore.owned(statement.applicationId, { subscriptionIds, invoiceIds }),
    matchStore.recorded(statement.applicationId, paymentIds),
  ]);
  const entries = new Map(read.flatMap((part) => part.entries).map((entry) => [entry.n, entry]));
  const problems = numbers.flatMap((n) => {
    const problem = problemOf(
      entries.get(n),
      decisions[n]?.decision ?? { skip: true },
      new Set([...owned, ...recorded]),
    );
    return problem === undefined ? [] : [[`entry ${n}`, problem] as const];
  });
  if (problems.length > 0) throw new ApiError('invalid_request', { details: Object.fromEntries(problems) });
  return [...entries.values()];
}

function problemOf(
  entry: StoredEntry | undefined,
  decision: Decision,
  owned: ReadonlySet<string>,
): string | undefined {
  if (entry === undefined) return 'is no entry of the statement';
  if ('skip' in decision || 'asMatched' in decision) return undefined;
  if (entry.match === 'duplicate') return 'is recorded already: apply its payment';
  if ('paymentId' in decision) {
    if (entry.match !== 'reversal' || !('payments' in entry)) return 'takes no payment back';
    const isOfFile = entry.payments.some(({ paymentId }) => paymentId === decision.paymentId);
    return isOfFile || owned.has(decision.paymentId) ? undefined : missing;
  }
  if (entry.match === 'reversal')
    return 'is a reversal, which pays nothing: name the payment that it takes back';
  if ('unapplied' in decision) return undefined;
  if ('invoices' in decision) {
    const { invoices } = decision;
    if (!invoices.every(({ invoiceId }) => owned.has(invoiceId))) return missing;
    if (new Set(invoices.map(({ invoiceId }) => invoiceId)).size < invoices.length)
      return 'names an invoice twice';
    const sum = minorPartsOf(invoices, entry.currency).reduce((sum, part) => sum + part.amountMinor, 0);
    return sum === entry.amountMinor ? undefined : 'is divided into amounts that do not add up to it';
  }
  const id = 'subscriptionId' in decision ? decision.subscriptionId : decision.invoiceId;
  return owned.has(id) ? undefined : missing;
}

const missing = 'is for a record that does not exist';

/**
 * Starts the execution that imports a statement. While one runs, it starts no other. One that failed for good is followed by
 * another, under a name of its own.
 */
async function startImport(
  { applicationId, statementId }: ImportInput,
  nowMs: number,
  nextId: NewId = newId,
): Promise<void> {
  const input: ImportInput = { applicationId, statementId };
  const machine = env.bankImportMachine();
  if ((await startExecutionOf(machine, statementId, input)) === 'started') return;
  await startExecutionOf(machine, `${statementId}-${nextId('bst', nowMs).slice('bst_'.length)}`, input);
}
