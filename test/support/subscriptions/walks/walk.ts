/** Random walks of clients through requests and time, with the rules that hold after every step. */
import { dueMinor } from '../../../../functions/invoices/due.ts';
import { defined } from '../../../../functions/shared/contract/defined.ts';
import { dayMs, hourMs, minuteMs } from '../../../../functions/shared/runtime/clock.ts';
import type { Subscription } from '../../../../functions/subscriptions/record/subscription.ts';
import type { Answered } from '../../call.ts';
import { Seeded } from '../../parallel/seeded.ts';
import { StripeApi } from '../../payments/stripe-api.ts';
import { eventsAbout, expectGapless, writtenEvents } from '../events.ts';
import { expectSound, storedSubscriptions } from '../stored-state.ts';
import { type Books, faultsOf, gone, readBooks } from './books.ts';
import { type Command, drawCommand, send } from './commands.ts';
import { faultsOfJournal } from './journal.ts';
import { changeAsPreviewed } from './previews.ts';
import { recountFaults, statementFaults } from './recounts.ts';
import { drawStatement, importStatement } from './statements.ts';
import { inTurns, seedRandomValues } from './turns.ts';
import {
  allSubscriptions,
  inOwnTable,
  newWorld,
  readMails,
  runTimers,
  type Shop,
  type World,
} from './world.ts';

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

/** Steps of one life. A longer one finds little more, and its books take longer to recount. */
const stepsOfALife = 60;

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
  const firstLife = Number(process.env.WALK_LIFE ?? seed * seedDistance);
  const stripe = await StripeApi.start();
  for (let life = 0; report.steps < steps && report.failures.length < maxFailures; life += 1) {
    const count = Math.min(stepsOfALife, steps - report.steps);
    await inOwnTable(() => live(stripe, firstLife + life, count, report));
    // Steps that a failure skipped count as walked: the lives of a seed are the same ones always.
    report.steps = Math.min(steps, (life + 1) * stepsOfALife);
    if (life % livesPerLine === livesPerLine - 1) show(progress(report, performance.now() - startMs));
  }
  await stripe.stop();
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

async function live(stripe: StripeApi, seed: number, count: number, report: WalkReport): Promise<void> {
  const random = new Seeded(seed);
  const restore = seedRandomValues(seed);
  const world = await newWorld(stripe, settingsOf, random, new Seeded(~seed));
  const readers = world.shops.flatMap(({ clients }) => clients.map(({ mails }) => mails));
  const done: string[] = [];
  const said = () => {
    const plans = world.shops.map(({ seller, plans }) => `${seller.applicationId} ${JSON.stringify(plans)}`);
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
      for (const reader of readers) {
        const mails = reader.unjudged();
        contradicted(reader.contradictions(), mails);
      }
    }
    const payments = await end(world, random, { done, report });
    for (const reader of readers) contradicted(await reader.missingDocuments());
    report.mails += readers.reduce((sum, { mails }) => sum + mails.length, 0);
    for (const payment of payments) {
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
  const subscriptions = await allSubscriptions(world);
  const draw = () => drawCommand(random, world, subscriptions);
  const kind = subscriptions.length === 0 ? 3 : random.below(12);
  let isLate = false;
  if (kind < 2) await hearStripe(world, subscriptions, random, log);
  else if (kind === 2) await hearBank(world, subscriptions, random, log);
  else if (kind < 6) await sendAlone(world, draw(), log);
  else if (kind < 8) {
    const commands = Array.from({ length: 2 + random.below(4) }, draw);
    await atOnce(world, random.oneIn(3) ? commands.map(() => commands[0] as Command) : commands, random, log);
  } else {
    isLate = random.oneIn(3);
    await passTime(world, random.pick([0.5, 1, 3, 4, 7, 11, 21, 24, 31]), isLate, log);
  }
  await readMails(world);
  setTogether(world, false);
  // No two requests have the same time: ids sort by time.
  vi.setSystemTime(Date.now() + 2_000);
  if (isLate) return;
  await runTimers(world);
  // Nor has a request that of a step: their mails are of two moments.
  vi.setSystemTime(Date.now() + 2_000);
}

function setTogether({ shops }: World, isTogether: boolean): void {
  for (const { mails } of shops.flatMap(({ clients }) => clients)) mails.isTogether = isTogether;
}

/** Counts an outcome. */
function count({ answers }: WalkReport, outcome: string): void {
  answers[outcome] = (answers[outcome] ?? 0) + 1;
}

/** A bank statement, beside which timers run and requests are sent. */
async function hearBank(
  world: World,
  subscriptions: readonly Subscription[],
  random: Seeded,
  log: Log,
): Promise<void> {
  const shop = random.pick(world.shops);
  const plan = drawStatement(random, shop, subscriptions);
  const command = drawCommand(random, world, subscriptions);
  setTogether(world, true);
  log.done.push(`${new Date().toISOString()} statement ${shop.seller.applicationId} ${JSON.stringify(plan)}`);
  const beside = plan.isBesideOthers ? [() => sendAll([command], log), () => runTimers(world)] : [];
  const own = subscriptions.filter(({ applicationId }) => applicationId === shop.seller.applicationId);
  const target = own.length === 0 ? undefined : random.pick(own);
  for (const result of await importStatement(shop, plan, { order: world.order, target, beside }))
    count(log.report, `bank ${result}`);
}

/** An invoice is paid at Stripe, or something becomes of an earlier charge, and events arrive. */
async function hearStripe(
  world: World,
  subscriptions: readonly Subscription[],
  random: Seeded,
  log: Log,
): Promise<void> {
  const { seller, stripe } = random.pick(world.shops);
  const open = subscriptions
    .filter(({ applicationId }) => applicationId === seller.applicationId)
    .flatMap(({ openInvoices }) => openInvoices)
    .filter((one) => dueMinor(one) > 0);
  const acts = 1 + random.below(3);
  for (let i = 0; i < acts; i += 1) {
    // Stripe dates events by the second.
    vi.setSystemTime(Date.now() + 1_000);
    if (stripe.charges.length > 0 && random.below(3) > 0) stripe.proceed(random);
    else if (open.length > 0) {
      const one = random.pick(open);
      stripe.pay(random, Object.assign({}, one, { amountMinor: dueMinor(one) }));
    }
  }
  setTogether(world, true);
  await deliverEvents({ seller, stripe }, random, log);
}

async function deliverEvents(
  { seller, stripe }: Pick<Shop, 'seller' | 'stripe'>,
  random: Seeded,
  { done, report }: Log,
  isAll = false,
): Promise<void> {
  const at = new Date().toISOString();
  for (const { name, paymentId } of await stripe.deliver(random, isAll)) {
    count(report, name);
    done.push(`${at} ${name} ${paymentId} ${seller.applicationId}`);
  }
}

/** Sends a request. A change of plan does exactly what its preview promises. */
async function sendAlone(world: World, command: Command, log: Log): Promise<void> {
  const sent = async () => (await sendAll([command], log))[0];
  await (command.name === 'change' ? changeAsPreviewed(world, command, sent) : sent());
}

async function sendAll(
  commands: readonly Command[],
  { done, report }: Log,
  together = (works: readonly (() => Promise<Answered>)[]) => Promise.all(works.map((work) => work())),
): Promise<Answered[]> {
  const at = new Date().toISOString();
  const answers = await together(commands.map((command) => () => send(command)));
  commands.forEach((command, i) => {
    const answer = answers[i];
    const outcome = `${command.name} ${answer?.status}`;
    count(report, outcome);
    const { shop, externalId, isForeign = false, id = '', body = {} } = command;
    const sender = `${shop.seller.applicationId} ${externalId}${isForeign ? ' (foreign)' : ''}`;
    done.push(`${at} ${sender} ${outcome} ${id} ${JSON.stringify(body)}`);
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
  setTogether(world, true);
  log.done.push(`at once, the clock moves by ${stepMs} ms:`);
  log.report.concurrent += commands.length;
  await sendAll(commands, log, (works) => inTurns(works, world.order, moveOn));
}

/** Calls of the table, after which the clock moves on. */
const callsPerMove = 5;

async function passTime(world: World, days: number, isLate: boolean, { done }: Log): Promise<void> {
  done.push(`${new Date().toISOString()} ${days} days pass, the timers are ${isLate ? 'late' : 'on time'}`);
  const untilMs = Date.now() + days * dayMs;
  if (!isLate) await runTimers(world, untilMs);
  vi.setSystemTime(Math.max(Date.now(), untilMs));
}

/** The rules that hold after each step. @returns the books of each seller. */
async function check(world: World, isWithEvents: boolean): Promise<Books[]> {
  const { shops } = world;
  const books = await readBooks(shops.map(({ seller }) => seller.applicationId));
  const faults = books.flatMap(faultsOf);
  for (const [i, shop] of shops.entries()) {
    if (!isWithEvents) continue;
    await expectSound(shop.seller, ...shop.clients.map(({ externalId }) => externalId));
    faults.push(...(await statementFaults(shop, books[i] as Books)));
  }
  if (faults.length > 0) throw new Error(faults.join('\n'));
  return books;
}

/** All mails are sent once in the end, and all events of Stripe have arrived. @returns the payments. */
async function end(world: World, random: Seeded, log: Log): Promise<Books['payments']> {
  setTogether(world, true);
  for (const shop of world.shops) await deliverEvents(shop, random, log, true);
  vi.setSystemTime(Date.now() + hourMs);
  await readMails(world);
  await runTimers(world);
  // A period ends before its last millisecond does.
  vi.setSystemTime(Date.now() + 1_000);
  const books = await check(world, true);
  for (const [i, shop] of world.shops.entries()) await endOf(shop, books[i] as Books, { world, random });
  return books.flatMap(({ payments }) => payments);
}

async function endOf(
  shop: Shop,
  books: Books,
  { world: { startMs }, random }: { world: World; random: Seeded },
): Promise<void> {
  const { seller, clients } = shop;
  const stored = await Promise.all(clients.map(({ externalId }) => storedSubscriptions(seller, externalId)));
  const left = stored
    .flat()
    .flatMap(({ outbox }) => outbox)
    .filter(({ doneAtMs, droppedAtMs }) => doneAtMs === undefined && droppedAtMs === undefined);
  if (left.length > 0) throw new Error(`${left.length} mails are left`);
  const { payments, creditNotes } = books;
  const faults = [
    ...shop.stripe.faults(payments),
    ...(await recountFaults(shop, startMs, books)),
    ...(await faultsOfJournal(shop, startMs, books, random)),
  ];
  if (faults.length > 0) throw new Error(faults.join('\n'));
  const events = await writtenEvents(seller.applicationId);
  for (const { paymentId, eventCount } of payments) {
    const own = eventsAbout(events, paymentId);
    expectGapless(own);
    expect(own.length, paymentId).toBe(eventCount);
  }
  for (const { creditNoteId } of creditNotes) expect(eventsAbout(events, creditNoteId)).toHaveLength(1);
}
