import { actWrites } from '../shared/accounts/audit.ts';
import { sellerCaller } from '../shared/auth/bearer.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import { route } from './contracts/confirm.ts';
import { startImport } from './import/executions.ts';
import { matchStore } from './import/match-store.ts';
import {
  type BankStatement,
  type Decision,
  minorPartsOf,
  partOf,
  type StoredEntry,
} from './import/statement.ts';
import { statementStore } from './import/store.ts';
import { toStatementResponse } from './present-statement.ts';

type Request = Input<typeof route>;

/** Confirms a statement once, and starts its import. A repeat starts an import that has failed again. */
export async function confirmStatement({
  params: { id },
  body,
  caller,
  rateLimitPassed,
}: Request): Promise<Output<typeof route>> {
  const nowMs = clock.nowMs();
  const [statement] = await Promise.all([
    statementStore.get(caller.applicationId, id, nowMs),
    rateLimitPassed,
  ]);
  if (statement === undefined) throw new ApiError('not_found');
  const decisions = decisionsOf(body.entries);
  if (statement.status === 'ready') await requirePossible(statement, decisions);
  const isEmpty = statement.partSizes.length === 0;
  const audit = actWrites(caller, { act: 'bank_statement.confirmed', id });
  const confirmed = isEmpty ? statement : await statementStore.confirm(statement, decisions, nowMs, audit);
  if (confirmed === undefined)
    throw new ApiError('conflict', {
      details: { entries: 'differ from those that the statement was confirmed with' },
    });
  if (confirmed.status === 'importing') await startImport(confirmed, nowMs);
  return { statement: toStatementResponse(confirmed) };
}

/** Decisions by the number of the entry. */
function decisionsOf(entries: Request['body']['entries']): Record<string, Decision> {
  return Object.fromEntries(
    entries.map(({ entryId, subscriptionId, invoiceId, invoices, paymentId }): [string, Decision] => {
      if (invoices !== undefined) return [entryId, { invoices }];
      if (paymentId !== undefined) return [entryId, { paymentId }];
      if (subscriptionId !== undefined) return [entryId, { subscriptionId }];
      return [entryId, invoiceId === undefined ? { skip: true } : { invoiceId }];
    }),
  );
}

/** @throws ApiError `invalid_request` when a decision is about an entry that takes none, or names a record that does not exist. */
async function requirePossible(
  statement: BankStatement,
  decisions: Readonly<Record<string, Decision>>,
): Promise<void> {
  const numbers = Object.keys(decisions).map(Number);
  const parts = [...new Set(numbers.map((n) => partOf(statement.partSizes, n)?.part))];
  const all = Object.values(decisions);
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
      decisions[n] ?? { skip: true },
      new Set([...owned, ...recorded]),
    );
    return problem === undefined ? [] : [[`entry ${n}`, problem] as const];
  });
  if (problems.length > 0) throw new ApiError('invalid_request', { details: Object.fromEntries(problems) });
}

function problemOf(
  entry: StoredEntry | undefined,
  decision: Decision,
  owned: ReadonlySet<string>,
): string | undefined {
  if (entry === undefined) return 'is no entry of the statement';
  if ('skip' in decision) return undefined;
  if (entry.match === 'duplicate') return 'is recorded already: apply its payment';
  if ('paymentId' in decision) {
    if (entry.match !== 'reversal' || !('payments' in entry)) return 'takes no payment back';
    const isOfFile = entry.payments.some(({ paymentId }) => paymentId === decision.paymentId);
    return isOfFile || owned.has(decision.paymentId) ? undefined : missing;
  }
  if (entry.match === 'reversal')
    return 'is a reversal, which pays nothing: name the payment that it takes back';
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

export const handler = endpoint(route, confirmStatement, sellerCaller);
