/** Random walks of clients through requests and time, with the rules that hold after every step. */
import { expect, vi } from 'vitest';
import { defined } from '../../../../functions/shared/contract/defined.ts';
import { dayMs, hourMs, minuteMs } from '../../../../functions/shared/runtime/duration.ts';
import type { Subscription } from '../../../../functions/subscriptions/record/subscription.ts';
import type { Answered } from '../../call.ts';
import { Seeded } from '../../parallel/seeded.ts';
import { eventsAbout, expectGapless, writtenEvents } from '../events.ts';
import { expectSound, storedSubscriptions } from '../stored-state.ts';
import { type Books, faultsOf, gone, readBooks } from './books.ts';
import { type Command, drawCommand, send } from './commands.ts';
import { faultsOfJournal } from './journal.ts';
import { changeAsPreviewed } from './previews.ts';
import { recountFaults } from './recounts.ts';
import { deliver, drawReport, type Report } from './reports.ts';
import { drawStatement, importStatement } from './statements.ts';
import { inTurns, seedRandomValues } from './turns.ts';
import { inOwnTable, newWorld, runTimers, subscriptionsOf, type World } from './world.ts';

/** The record of a walk: the number of steps, requests by outcome, and requests that ran at the same time. */
export interface WalkReport {
  steps: number;
  concurrent: number;
  answers: Record<string, number>;
  payments: Record<string, number>;
  mails: number;
  /** Faults, with the seed and the steps of the client that led to each. */
  failures: string[];
  /** Problems of mails by kind, with the first steps that led to each. */
  contradictions: Record<string, string>;
}

/** A walk that fails this often has said enough. */
const maxFailures = 10;

/** Steps that one client lives through. A longer life finds little more, and its books take longer to recount. */
const stepsOfALife = 40;

/** Steps after which events are compared with all records. Reading them takes longer than the books. */
const stepsPerEventCheck = 5;

/** Walks a number of steps from a seed. A client whose books are wrong is left, and the next one is followed. */
export async function walk(steps: number, seed: number): Promise<WalkReport> {
  const report: WalkReport = {
    steps: 0,
    concurrent: 0,
    answers: {},
    payments: {},
    mails: 0,
    failures: [],
    contradictions: {},
  };
  const startMs = performance.now();
  for (let life = 0; report.steps < steps && report.failures.length < maxFailures; life += 1) {
    const count = Math.min(stepsOfALife, steps - report.steps);
    await inOwnTable(() => live(seed * seedDistance + life, count, report));
    // Steps that a failure skipped count as walked: the lives of a seed are the same ones always.
    report.steps = Math.min(steps, (life + 1) * stepsOfALife);
    if (life % livesPerLine === livesPerLine - 1) show(progress(report, performance.now() - startMs));
  }
  return report;
}

/** A walk on demand takes long: it says at once what it finds. */
function show(text = ''): void {
  if (process.env.WALK_STEPS !== undefined) process.stdout.write(`${text}\n`);
}

/** Lives between two lines of progress. */
const livesPerLine = 25;

const progress = ({ steps, failures, contradictions }: WalkReport, tookMs: number) =>
  `${steps} steps in ${Math.round(tookMs / 1_000)} s, ${failures.length} failures, ${Object.keys(contradictions).length} contradictions`;

/** Between the first lives of two seeds, so that two walks have no life in common. */
const seedDistance = 1_000_003;

/** How a seller that walks sells, at random. */
function settingsOf(random: Seeded): Record<string, unknown> {
  const pricesInclude = random.pick([undefined, 'inclusive', 'exclusive'] as const);
  const rates = [{ country: 'DE', percent: 19 }];
  return defined({
    payments: { tolerance: random.pick([0, 0.5]), onRefund: random.pick(['keep', 'cancel']) },
    invoices: {
      renewalDays: random.pick([3, 7]),
      numbering: random.pick(['subscription', 'seller'] as const),
    },
    tax: pricesInclude && { rates, pricesInclude },
  });
}

async function live(seed: number, count: number, report: WalkReport): Promise<void> {
  const random = new Seeded(seed);
  const restore = seedRandomValues(seed);
  const world = await newWorld(settingsOf(random), new Seeded(~seed));
  const done: string[] = [];
  const said = () => {
    const plans = Object.entries(world.plans).map(([name, id]) => `${name} ${id}`);
    return [...plans, ...done].join('\n');
  };
  const contradicted = (faults: readonly string[], mails = '') => {
    for (const fault of faults) {
      const known = report.contradictions[general(fault)];
      if (known !== undefined) continue;
      const found = `Seed ${seed}: ${fault}\n${said()}\n${mails}`;
      report.contradictions[general(fault)] = found;
      show(found);
    }
  };
  try {
    for (let i = 1; i <= count; i += 1) {
      await takeStep(world, random, { done, report });
      await check(world, i % stepsPerEventCheck === 0);
      const mails = world.mails.unjudged();
      contradicted(world.mails.contradictions(), mails);
    }
    await end(world, random);
    contradicted(await world.mails.missingDocuments());
    report.mails += world.mails.mails.length;
    for (const payment of (await readBooks()).payments) {
      const state = gone(payment) > payment.amountMinor ? 'recalled beyond what was held' : payment.status;
      report.payments[state] = (report.payments[state] ?? 0) + 1;
    }
  } catch (error) {
    const { stack } = error as Error;
    report.failures.push(`Seed ${seed}, ${count} steps: ${stack}\n${said()}`);
    show(report.failures.at(-1));
  } finally {
    restore();
  }
}

/** A fault without what is particular about one client, so that equal ones count once. */
const general = (fault: string) => fault.replaceAll(/“[^”]*”: |[\d.,]+/g, '');

interface Log {
  done: string[];
  report: WalkReport;
}

async function takeStep(world: World, random: Seeded, log: Log): Promise<void> {
  const subscriptions = await subscriptionsOf(world);
  const draw = () => drawCommand(random, world, subscriptions);
  const kind = subscriptions.length === 0 ? 0 : random.below(12);
  let isLate = false;
  const report =
    kind < 2 && subscriptions.length > 0 ? drawReport(random, world, random.pick(subscriptions)) : undefined;
  if (report !== undefined) await hear(report, log);
  else if (kind === 2 && random.oneIn(2)) await hearBank(world, subscriptions, random, log);
  else if (kind < 6) await sendAlone(world, draw(), log);
  else if (kind < 8) {
    const commands = Array.from({ length: 2 + random.below(4) }, draw);
    await atOnce(world, random.oneIn(3) ? commands.map(() => commands[0] as Command) : commands, random, log);
  } else {
    isLate = random.oneIn(3);
    await passTime(world, random.pick([0.5, 1, 3, 4, 7, 11, 21, 24, 31]), isLate, log);
  }
  await world.mails.read();
  world.mails.isTogether = false;
  // No two requests have the same time: ids sort by time.
  vi.setSystemTime(Date.now() + 2_000);
  if (isLate) return;
  await runTimers(world);
  // Nor has a request that of a step: their mails are of two moments.
  vi.setSystemTime(Date.now() + 2_000);
}

/** A bank statement, beside which timers run and requests are sent. */
async function hearBank(
  world: World,
  subscriptions: readonly Subscription[],
  random: Seeded,
  log: Log,
): Promise<void> {
  const plan = drawStatement(random, world, subscriptions);
  const command = drawCommand(random, world, subscriptions);
  world.mails.isTogether = true;
  log.done.push(`${new Date().toISOString()} statement ${JSON.stringify(plan)}`);
  const beside = plan.isBesideOthers ? [() => sendAll(world, [command], log), () => runTimers(world)] : [];
  const results = await importStatement(world, plan, { target: random.pick(subscriptions), beside });
  for (const result of results)
    log.report.answers[`bank ${result}`] = (log.report.answers[`bank ${result}`] ?? 0) + 1;
}

async function hear(report: Report, { done, report: { answers } }: Log): Promise<void> {
  const { name, payment, refundedMinor = '' } = report;
  const at = new Date().toISOString();
  const outcome = `${name} ${await deliver(report)}`;
  answers[outcome] = (answers[outcome] ?? 0) + 1;
  done.push(
    `${at} ${outcome} ${payment.paymentId} for ${payment.invoiceId} ${payment.amountMinor} ${refundedMinor}`,
  );
}

/** Sends a request. A change of plan does exactly what its preview promises. */
async function sendAlone(world: World, command: Command, log: Log): Promise<void> {
  const sent = async () => (await sendAll(world, [command], log))[0];
  await (command.name === 'change' ? changeAsPreviewed(world, command, sent) : sent());
}

async function sendAll(
  world: World,
  commands: readonly Command[],
  { done, report }: Log,
  together = (works: readonly (() => Promise<Answered>)[]) => Promise.all(works.map((work) => work())),
): Promise<Answered[]> {
  const at = new Date().toISOString();
  const answers = await together(commands.map((command) => () => send(world, command)));
  commands.forEach((command, i) => {
    const answer = answers[i];
    const outcome = `${command.name} ${answer?.status}`;
    report.answers[outcome] = (report.answers[outcome] ?? 0) + 1;
    done.push(`${at} ${outcome} ${command.id ?? ''} ${JSON.stringify(command.body ?? {})}`);
    if ((answer?.status ?? 500) >= 500) throw new Error(`${outcome}: ${answer?.text}`);
  });
  return answers;
}

/** Sends requests at the same time, while the clock moves on by up to an hour. */
async function atOnce(world: World, commands: readonly Command[], random: Seeded, log: Log): Promise<void> {
  const stepMs = random.pick([0, 1_000, minuteMs, 10 * minuteMs]);
  let calls = 0;
  const moveOn = () => {
    calls += 1;
    if (calls % callsPerMove === 0 && calls <= 6 * callsPerMove) vi.setSystemTime(Date.now() + stepMs);
  };
  world.mails.isTogether = true;
  log.done.push(`at once, the clock moves by ${stepMs} ms:`);
  log.report.concurrent += commands.length;
  await sendAll(world, commands, log, (works) => inTurns(works, world.order, moveOn));
}

/** Calls of the table, after which the clock moves on. */
const callsPerMove = 5;

async function passTime(world: World, days: number, isLate: boolean, { done }: Log): Promise<void> {
  done.push(`${new Date().toISOString()} ${days} days pass, the timers are ${isLate ? 'late' : 'on time'}`);
  const untilMs = Date.now() + days * dayMs;
  if (!isLate) await runTimers(world, untilMs);
  vi.setSystemTime(Math.max(Date.now(), untilMs));
}

/** The rules that hold after each step. */
async function check({ seller, externalId }: World, isWithEvents: boolean): Promise<Books> {
  if (isWithEvents) await expectSound(seller, externalId);
  const books = await readBooks();
  const faults = faultsOf(books);
  if (faults.length > 0) throw new Error(faults.join('\n'));
  return books;
}

/** All mails are sent once in the end. */
async function end(world: World, random: Seeded): Promise<void> {
  vi.setSystemTime(Date.now() + hourMs);
  await runTimers(world);
  const outbox = (await storedSubscriptions(world.seller, world.externalId)).flatMap((one) => one.outbox);
  const left = outbox.filter(
    ({ doneAtMs, droppedAtMs }) => doneAtMs === undefined && droppedAtMs === undefined,
  );
  if (left.length > 0) throw new Error(`${left.length} mails are left`);
  // A period ends before its last millisecond does.
  vi.setSystemTime(Date.now() + 1_000);
  const books = await check(world, true);
  const faults = [...(await recountFaults(world, books)), ...(await faultsOfJournal(world, books, random))];
  if (faults.length > 0) throw new Error(faults.join('\n'));
  const { payments, creditNotes } = books;
  const events = await writtenEvents(world.seller.applicationId);
  for (const { paymentId, eventCount } of payments) {
    const own = eventsAbout(events, paymentId);
    expectGapless(own);
    expect(own.length, paymentId).toBe(eventCount);
  }
  for (const { creditNoteId } of creditNotes) expect(eventsAbout(events, creditNoteId)).toHaveLength(1);
}
