/** Bank statements of a walk: what payers wrote, once and twice, in files that overlap, confirmed once, twice and at once. */
import { isDeepStrictEqual } from 'node:util';
import type { Subscription } from '../../../../functions/subscriptions/record/subscription.ts';
import { registeredTimers } from '../../../../functions/timers.ts';
import { invokeTimer } from '../../../../lib/local/functions.ts';
import { type Answered, call } from '../../call.ts';
import { asFunction } from '../../granted.ts';
import type { Seeded } from '../../parallel/seeded.ts';
import { camt } from '../../statements/bank-files.ts';
import { confirm, readStatement, sendFile } from '../../statements/statement-stage.ts';
import { drawEntry, type FileEntry, fileXml, shownOf } from './bank-entries.ts';
import { inTurns } from './turns.ts';
import type { Shop } from './world.ts';

/** How a statement is confirmed and imported. */
export interface StatementPlan {
  readonly entries: readonly FileEntry[];
  /** Confirmations that are sent at the same time. */
  readonly confirmations: number;
  /** Runs of the import that are started at the same time. */
  readonly runs: number;
  /** Whether timers run, and a request is sent, while the import does. */
  readonly isBesideOthers: boolean;
  readonly decision: 'none' | 'subscription' | 'skip';
}

/** Draws a statement of the bank of a seller. Its payers name subscriptions of all sellers. */
export function drawStatement(
  random: Seeded,
  shop: Shop,
  subscriptions: readonly Subscription[],
): StatementPlan {
  const own = subscriptions.filter(({ applicationId }) => applicationId === shop.seller.applicationId);
  const named = own.length === 0 || random.oneIn(8) ? subscriptions : own;
  const entries = Array.from({ length: 1 + random.below(5) }, () => drawEntry(random, shop, named));
  if (random.oneIn(3)) entries.push(random.pick(entries));
  shop.bankEntries.push(...entries);
  return {
    entries,
    confirmations: random.pick([1, 1, 2]),
    runs: random.pick([1, 1, 2]),
    isBesideOthers: random.oneIn(3),
    decision: random.pick(['none', 'none', 'subscription', 'skip'] as const),
  };
}

const task = 'statements.run-import';

interface Surroundings {
  readonly order: Seeded;
  /** The records that a decision names. */
  readonly target: Subscription | undefined;
  /** Requests at the same time as the import. */
  readonly beside: readonly (() => Promise<unknown>)[];
}

/**
 * Sends, confirms and imports a statement.
 *
 * @returns the results of its entries, such as `matched applied`.
 * @throws Error when the file has other credits than its entries, an entry has no result, a confirmation does not repeat, or another one than the first decides.
 */
export async function importStatement(
  { seller, payments: known }: Shop,
  plan: StatementPlan,
  { order, target, beside }: Surroundings,
): Promise<string[]> {
  const { entries, confirmations, runs, decision } = plan;
  const sent = await sendFile(seller, camt(entries.map(fileXml)));
  const { statement, entries: dry } = good(sent);
  const totals = Object.fromEntries(
    statement.totals.map(({ currency, amount }: { currency: string; amount: number }) => [currency, amount]),
  );
  const shown = { count: statement.entries, totals };
  if (!isDeepStrictEqual(shown, shownOf(entries)))
    throw new Error(`The file has ${JSON.stringify(shownOf(entries))}, not ${JSON.stringify(shown)}`);
  if (statement.status === 'imported') return ['empty'];
  const { applicationId } = seller;
  const decisions = decisionsAbout(dry, decision, target);
  const confirming = () => confirm(seller, statement._id, decisions);
  const answers = await inTurns(
    Array.from({ length: confirmations }, () => confirming),
    order,
  );
  for (const answer of answers) good(answer);
  const other = await confirm(seller, statement._id, [...decisions, { entryId: '9999', skip: true }]);
  if (other.status !== 409) throw new Error(`Other decisions are answered ${other.status}`);
  const input = { applicationId, statementId: statement._id };
  const importing = (): Promise<unknown> => importOnce(input);
  await inTurns([...Array.from({ length: runs }, () => importing), ...beside], order);
  const read = good(await readStatement(seller, statement._id));
  if (read.statement.status !== 'imported') throw new Error(`The statement is ${read.statement.status}`);
  const results = read.entries.map(({ match, result }: StatementEntry) => `${match} ${result}`);
  if (results.length !== dry.length || results.some((result: string) => /undefined|failed/.test(result)))
    throw new Error(`Entries have no result: ${results.join(', ')}`);
  const { payments } = good(await call('payments.list', { headers: seller.headers }));
  for (const { _id } of payments) known.add(_id);
  await importOnce(input);
  const again = good(await readStatement(seller, statement._id));
  if (!isDeepStrictEqual(again, read))
    throw new Error(
      `An import that is over changed its results: ${JSON.stringify(read)} ${JSON.stringify(again)}`,
    );
  return results;
}

interface StatementEntry {
  entryId: string;
  match: string;
  result?: string;
}

/** A decision about the first entry that takes one. */
function decisionsAbout(
  entries: readonly StatementEntry[],
  decision: StatementPlan['decision'],
  target: Subscription | undefined,
): object[] {
  const entry = entries.find(({ match }) => match !== 'duplicate' && match !== 'reversal');
  if (decision === 'none' || entry === undefined) return [];
  const { entryId } = entry;
  if (decision === 'skip') return [{ entryId, skip: true }];
  return target === undefined ? [] : [{ entryId, subscriptionId: target.subscriptionId }];
}

/** Runs the task until nothing is left, as its state machine does, with its retries. */
async function importOnce(input: object): Promise<void> {
  const grants = registeredTimers().find(({ id }) => id === task)?.timer.grants;
  for (let tries = 0; ; tries += 1) {
    try {
      const output = await asFunction(task, [grants ?? {}], () => invokeTimer(task, input));
      if ((output as { isDone: boolean }).isDone) return;
    } catch (error) {
      if (tries === 5) throw error;
    }
  }
}

function good({ status, body, text }: Answered) {
  if (status >= 300) throw new Error(`A bank statement: ${status} ${text}`);
  return body;
}
