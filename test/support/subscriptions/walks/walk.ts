/** Random walks of clients through requests and time, with the rules that hold after every step. */
import { expect, vi } from 'vitest';
import { dayMs, hourMs, minuteMs } from '../../../../functions/shared/runtime/duration.ts';
import { type Answered, call } from '../../call.ts';
import { Seeded } from '../../parallel/seeded.ts';
import { eventsAbout, expectGapless, writtenEvents } from '../events.ts';
import { callFor } from '../requests.ts';
import { deliverOutboxOf } from '../steps.ts';
import { expectSound, storedSubscriptions } from '../stored-state.ts';
import { type Books, faultsOf, readBooks } from './books.ts';
import { type Command, drawCommand, send } from './commands.ts';
import { deliver, drawReport, type Report } from './reports.ts';
import { inOwnTable, newWorld, runTimers, subscriptionsOf, type World } from './world.ts';

/** What a walk did: the number of steps, requests by outcome, and requests that ran at the same time. */
export interface WalkReport {
  steps: number;
  concurrent: number;
  answers: Record<string, number>;
  payments: Record<string, number>;
}

/** Steps that one client lives through. A longer life finds little more, and its books take longer to recount. */
const stepsOfALife = 40;

/**
 * Walks a number of steps from a seed.
 *
 * @throws Error that names the seed and the steps of the client that led to it.
 */
export async function walk(steps: number, seed: number): Promise<WalkReport> {
  const report: WalkReport = { steps: 0, concurrent: 0, answers: {}, payments: {} };
  for (let life = 0; report.steps < steps; life += 1) {
    const count = Math.min(stepsOfALife, steps - report.steps);
    await inOwnTable(() => live(seed + life, count, report));
  }
  return report;
}

async function live(seed: number, count: number, report: WalkReport): Promise<void> {
  const random = new Seeded(seed);
  const world = await newWorld({
    payments: { tolerance: random.pick([0, 0.5]), onRefund: random.pick(['keep', 'cancel']) },
    invoices: { renewalDays: random.pick([3, 7]) },
  });
  const done: string[] = [];
  try {
    for (let i = 0; i < count; i += 1) {
      await takeStep(world, random, { done, report });
      report.steps += 1;
    }
    await end(world);
    for (const { status } of (await readBooks()).payments)
      report.payments[status] = (report.payments[status] ?? 0) + 1;
  } catch (error) {
    const { message } = error as Error;
    const plans = Object.entries(world.plans).map(([name, id]) => `${name} ${id}`);
    throw new Error(`Seed ${seed}, ${count} steps: ${message}\n${[...plans, ...done].join('\n')}`, {
      cause: error,
    });
  }
}

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
  else if (kind < 6) await sendAlone(world, draw(), log);
  else if (kind < 8) {
    const commands = Array.from({ length: 2 + random.below(4) }, draw);
    await atOnce(world, random.oneIn(3) ? commands.map(() => commands[0] as Command) : commands, random, log);
  } else {
    isLate = random.oneIn(3);
    await passTime(world, random.pick([0.5, 1, 3, 4, 7, 11, 21, 24, 31]), isLate, log);
  }
  // No two requests have the same time: ids sort by time.
  vi.setSystemTime(Date.now() + 2_000);
  if (!isLate) await runTimers(world);
  await check(world);
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
  const { name, id = '', body } = command;
  const preview =
    name === 'change'
      ? await call('subscriptions.change-preview', callFor(world.seller, id, body))
      : undefined;
  const [answer] = await sendAll(world, [command], log);
  if (preview === undefined) return;
  expect(answer?.status).toBe(preview.status);
  if (preview.status === 200) expect(answer?.body.change).toEqual(preview.body.preview);
}

async function sendAll(
  world: World,
  commands: readonly Command[],
  { done, report }: Log,
): Promise<Answered[]> {
  const at = new Date().toISOString();
  const answers = await Promise.all(commands.map((command) => send(world, command)));
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
  let isOver = false;
  const moving = (async () => {
    for (let i = 0; i < 6 && !isOver; i += 1) {
      await new Promise((resolve) => setTimeout(resolve, 3));
      vi.setSystemTime(Date.now() + stepMs);
    }
  })();
  log.done.push(`at once, the clock moves by ${stepMs} ms:`);
  log.report.concurrent += commands.length;
  try {
    await sendAll(world, commands, log);
  } finally {
    isOver = true;
    await moving;
  }
}

async function passTime(world: World, days: number, isLate: boolean, { done }: Log): Promise<void> {
  done.push(`${new Date().toISOString()} ${days} days pass, the timers are ${isLate ? 'late' : 'on time'}`);
  const untilMs = Date.now() + days * dayMs;
  if (!isLate) await runTimers(world, untilMs);
  vi.setSystemTime(Math.max(Date.now(), untilMs));
}

/** The rules that hold after each step. */
async function check({ seller, externalId }: World): Promise<Books> {
  await expectSound(seller, externalId);
  const books = await readBooks();
  const faults = faultsOf(books);
  if (faults.length > 0) throw new Error(faults.join('\n'));
  return books;
}

/** All mails are sent once in the end. */
async function end(world: World): Promise<void> {
  vi.setSystemTime(Date.now() + hourMs);
  await runTimers(world);
  for (const one of await subscriptionsOf(world)) await deliverOutboxOf(one);
  const outbox = (await storedSubscriptions(world.seller, world.externalId)).flatMap((one) => one.outbox);
  const left = outbox.filter(
    ({ doneAtMs, droppedAtMs }) => doneAtMs === undefined && droppedAtMs === undefined,
  );
  if (left.length > 0) throw new Error(`${left.length} mails are left`);
  const { payments, creditNotes } = await check(world);
  const events = await writtenEvents(world.seller.applicationId);
  for (const { paymentId, eventCount } of payments) {
    const own = eventsAbout(events, paymentId);
    expectGapless(own);
    expect(own.length, paymentId).toBe(eventCount);
  }
  for (const { creditNoteId } of creditNotes) expect(eventsAbout(events, creditNoteId)).toHaveLength(1);
}
