/** Bank statements of a walk: what payers wrote, once and twice, in files that overlap, confirmed once, twice and at once. */
import { isDeepStrictEqual } from 'node:util';
import { defined } from '../../../../functions/shared/contract/defined.ts';
import { dayMs } from '../../../../functions/shared/runtime/duration.ts';
import type { Subscription } from '../../../../functions/subscriptions/record/subscription.ts';
import { registeredTimers } from '../../../../functions/timers.ts';
import { invokeTimer } from '../../../../lib/local/functions.ts';
import { type Answered, call } from '../../call.ts';
import { asFunction } from '../../granted.ts';
import type { Seeded } from '../../parallel/seeded.ts';
import { camt, entryXml, type XmlEntry } from '../../statements/bank-files.ts';
import { confirm, readStatement, sendFile } from '../../statements/statement-stage.ts';
import { asSeller } from '../requests.ts';
import { dueOf } from './commands.ts';
import { inTurns } from './turns.ts';
import type { World } from './world.ts';

/** How a statement is confirmed and imported. */
export interface StatementPlan {
  readonly entries: readonly XmlEntry[];
  /** Confirmations that are sent at the same time. */
  readonly confirmations: number;
  /** Runs of the import that are started at the same time. */
  readonly runs: number;
  /** Whether timers run, and a request is sent, while the import does. */
  readonly isBesideOthers: boolean;
  readonly decision: 'none' | 'subscription' | 'skip';
}

/** Draws a statement about the subscriptions of a client. */
export function drawStatement(
  random: Seeded,
  world: World,
  subscriptions: readonly Subscription[],
): StatementPlan {
  const entries = Array.from({ length: 1 + random.below(5) }, () =>
    drawEntry(random, world, random.pick(subscriptions)),
  );
  if (random.oneIn(3)) entries.push(random.pick(entries));
  world.bankEntries.push(...entries);
  return {
    entries,
    confirmations: random.pick([1, 1, 2]),
    runs: random.pick([1, 1, 2]),
    isBesideOthers: random.oneIn(3),
    decision: random.pick(['none', 'none', 'subscription', 'skip'] as const),
  };
}

function drawEntry(random: Seeded, world: World, target: Subscription): XmlEntry {
  // The same entry is in an earlier file.
  if (world.bankEntries.length > 0 && random.oneIn(6)) return random.pick(world.bankEntries);
  const recalled = random.oneIn(4) ? recall(random, world) : undefined;
  if (recalled !== undefined) return recalled;
  const { amount, currency } = dueOf(target);
  const paid = random.pick([amount, amount, amount, amount / 2, amount * 2, amount - 0.3, amount + 5]);
  const { referenceNumber } = target;
  const text = random.pick([
    referenceNumber,
    referenceNumber,
    referenceNumber.toLowerCase().replace('-', ' '),
    // Without its prefix, or with another check character.
    referenceNumber.slice('SUB-'.length),
    `${referenceNumber.slice(0, -1)}${referenceNumber.endsWith('7') ? '8' : '7'}`,
    'Miete November',
  ]);
  world.bankIds += 1;
  const reported = (world.sent.at(-1) as { paymentId?: string } | undefined)?.paymentId;
  return {
    amount: (Math.max(1, Math.round(paid * 100)) / 100).toFixed(2),
    currency: random.oneIn(10) ? 'USD' : currency,
    indicator: random.oneIn(12) ? 'DBIT' : 'CRDT',
    date: new Date(Date.now() - random.pick([0, 0, 1, 3, 10, 25]) * dayMs).toISOString().slice(0, 10),
    text,
    name: 'Ann',
    ...defined({
      bankId: random.oneIn(4) ? undefined : (random.oneIn(4) && reported) || `bank-${world.bankIds}`,
      endToEndId: random.oneIn(2) ? `E2E-${world.bankIds}` : undefined,
      reversal: random.oneIn(12) ? true : undefined,
    }),
  };
}

/** The bank takes back a transfer of an earlier file, as a whole or in part. */
function recall(random: Seeded, world: World): XmlEntry | undefined {
  const credits = world.bankEntries.filter(({ indicator }) => indicator === 'CRDT');
  if (credits.length === 0) return undefined;
  world.bankIds += 1;
  const { amount = '', ...credit } = random.pick(credits);
  const taken = random.oneIn(4) ? (Math.ceil(Number(amount) * 50) / 100).toFixed(2) : amount;
  const date = new Date().toISOString().slice(0, 10);
  const how = { indicator: 'DBIT', reversal: true, bankId: `bank-${world.bankIds}` };
  return { ...credit, ...how, amount: taken, date };
}

const task = 'statements.run-import';

/**
 * Sends, confirms and imports a statement.
 *
 * @param beside what happens at the same time as the import.
 * @returns the results of its entries, such as `matched applied`.
 * @throws Error when an entry has no result, a confirmation does not repeat, or another one than the first decides.
 */
export async function importStatement(
  { seller, order, payments: known }: World,
  plan: StatementPlan,
  { target, beside }: { target: Subscription; beside: readonly (() => Promise<unknown>)[] },
): Promise<string[]> {
  const { entries, confirmations, runs, decision } = plan;
  const sent = await sendFile(seller, camt(entries.map((entry) => entryXml(entry))));
  const { statement, entries: dry } = good(sent);
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
  const { payments } = good(await call('payments.list', { headers: asSeller(seller) }));
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
  { subscriptionId }: Subscription,
): object[] {
  const entry = entries.find(({ match }) => match !== 'duplicate' && match !== 'reversal');
  if (decision === 'none' || entry === undefined) return [];
  const { entryId } = entry;
  return [decision === 'skip' ? { entryId, skip: true } : { entryId, subscriptionId }];
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
