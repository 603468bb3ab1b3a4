/**
 * Runs works under every order of their calls to the table.
 *
 * The search is depth first and keeps no state: each order begins in a new world, or in the same one, put back. Two calls that do not meet have one effect
 * in both orders, so one order of them is run (sleep sets: Godefroid, Partial-Order Methods for the Verification of Concurrent
 * Systems, LNCS 1032, 1996, chapter 5).
 */
import { defined } from '../../../functions/shared/contract/defined.ts';
import type { FaultyConnection } from '../../faults/connection.ts';
import { without } from '../../faults/footprint.ts';
import { meet } from './accesses.ts';
import { type OneFault, withFault } from './one-fault.ts';
import { reversals } from './races.ts';
import { letterOf, type Meeting, outcomesOfSequences, resultOf } from './sequences.ts';
import { type CallOfWork, inTurns, type Turn } from './turns.ts';

/** Limits of a search, and the fault of each of its orders. */
export interface Search {
  /** The largest number of orders. */
  readonly most?: number;
  /** The one order that is run, such as `A0 B0 A1`. */
  readonly schedule?: string;
  /** A fault of a call, in each order. The work with the fault repeats itself. */
  readonly fault?: OneFault & { readonly connection: FaultyConnection };
}

/** The count of a search. */
export interface Orders {
  /** Orders that were run to their end. */
  readonly run: number;
  /** Orders that were left, because another one has the same effect. */
  readonly same: number;
  /** Orders of these calls without regard to what they do. */
  readonly all: number;
  /** Whether the bound ended the search. */
  readonly isCut: boolean;
}

/** An order that does not end as one work after another does. */
export class WrongOrder extends Error {
  /** The order, which runs alone as `schedule`. */
  readonly schedule: string;

  constructor(schedule: string, calls: readonly string[], problem: string) {
    super(`${problem}\n  order ${schedule}\n${calls.map((one) => `    ${one}`).join('\n')}`);
    this.schedule = schedule;
  }
}

/** A point of an order: the calls that wait, and the one that is made. */
interface Point {
  readonly waiting: readonly Turn[];
  /** Calls that have to be made here in some order. */
  readonly wanted: Set<string>;
  /** Calls that another order has made here, or before, with the same effect. */
  readonly asleep: Set<string>;
  chosen: Turn;
}

const nameOf = ({ work, nth }: CallOfWork) => `${letterOf(work)}${nth}`;

/**
 * Runs the works one after another in each sequence, and then in every order of their calls: each must end as one of the
 * sequences does.
 *
 * @throws WrongOrder for the first that does not.
 */
export async function everyOrder<World>(
  meeting: Meeting<World>,
  { most = Number.POSITIVE_INFINITY, schedule, fault }: Search = {},
): Promise<Orders> {
  const allowed = await outcomesOfSequences(meeting);
  // The copy of a call that is `late` follows an answer: the client sends nothing again.
  if (fault !== undefined && fault.kind !== 'late')
    for (const [outcome, sequence] of await outcomesOfSequences(meeting, fault.of.work))
      allowed.set(outcome, sequence);
  const points: Point[] = [];
  const given = schedule?.split(' ');
  let run = 0;
  let same = 0;
  let all = 0;
  do {
    const order = await runOrder(meeting, points, given, fault);
    all = Math.max(all, interleavings(order.made));
    if (order.isSame) same += 1;
    else {
      run += 1;
      const made = order.made.map(nameOf).join(' ');
      const problem = await problemOf(meeting, order, allowed);
      if (problem !== undefined) throw new WrongOrder(made, order.made.map(textOf), problem);
    }
    if (given !== undefined) break;
    want(points);
    if (run + same >= most) return { run, same, all, isCut: true };
  } while (moveOn(points));
  return { run, same, all, isCut: false };
}

/** Notes at each point the calls that another order has to begin with there. */
function want(points: readonly Point[]): void {
  for (const { at, first } of reversals(points)) {
    const point = points[at];
    if (point === undefined || first.some((turn) => point.wanted.has(nameOf(turn)))) continue;
    const [one] = first.filter((turn) => !point.asleep.has(nameOf(turn)));
    if (one !== undefined) point.wanted.add(nameOf(one));
  }
}

/** Sets the points to the next order. @returns false when there is none. */
function moveOn(points: Point[]): boolean {
  for (;;) {
    const last = points.at(-1);
    if (last === undefined) return false;
    last.asleep.add(nameOf(last.chosen));
    const next = last.waiting.find((turn) => last.wanted.has(nameOf(turn)) && !last.asleep.has(nameOf(turn)));
    if (next !== undefined) {
      last.chosen = next;
      return true;
    }
    points.pop();
  }
}

interface Order<World> {
  readonly world: World;
  readonly made: readonly Turn[];
  readonly results: readonly unknown[];
  readonly isSame: boolean;
}

/** Runs the order of the points, and from their end on the first one that is left, adding its points. */
async function runOrder<World>(
  { setup, works, caused }: Meeting<World>,
  points: Point[],
  given?: readonly string[],
  fault?: Search['fault'],
): Promise<Order<World>> {
  const world = await setup();
  const made: Turn[] = [];
  let isSame = false;
  await fault?.connection.reset();
  const faulty = fault && withFault(fault, fault.connection);
  const own = works(world);
  const settled = await inTurns(own, {
    choose: (waiting) => {
      const chosen = isSame ? waiting[0] : choose(waiting, points, made.length, given);
      if (chosen === undefined) isSame = true;
      const turn = chosen ?? waiting[0];
      if (turn === undefined) throw new Error('A turn needs a call that waits');
      made.push(turn);
      return turn;
    },
    caused: (turn) => [...(caused?.(world, turn) ?? []), ...(faulty?.caused(turn) ?? [])],
    ...defined({ make: faulty?.make }),
  });
  return { world, made, results: settled.slice(0, own.length).map(resultOf), isSame };
}

/** @returns undefined when every order from here on has the effect of one that was run. */
function choose(
  waiting: readonly Turn[],
  points: Point[],
  depth: number,
  given?: readonly string[],
): Turn | undefined {
  const wanted = given === undefined ? points[depth] && nameOf(points[depth].chosen) : given[depth];
  if (wanted !== undefined) {
    const turn = waiting.find((one) => nameOf(one) === wanted);
    if (turn === undefined)
      throw new Error(`Call ${depth} was ${wanted} before, and now ${waiting.map(nameOf).join(' or ')} wait`);
    return turn;
  }
  if (given !== undefined) return waiting[0];
  const before = points.at(-1);
  const asleep = new Set(before && stillAsleep(before));
  const chosen = waiting.find((one) => !asleep.has(nameOf(one)));
  if (chosen !== undefined)
    points.push({ waiting: [...waiting], wanted: new Set([nameOf(chosen)]), asleep, chosen });
  return chosen;
}

/** The calls that were made before the chosen one in another order, and do not meet it. */
const stillAsleep = ({ waiting, asleep, chosen }: Point): string[] =>
  waiting.filter((one) => asleep.has(nameOf(one)) && !meet(one, chosen)).map(nameOf);

/** In how many orders as many calls of each work can be made. */
function interleavings(made: readonly Turn[]): number {
  const counts = [...Map.groupBy(made, ({ work }) => work).values()].map(({ length }) => length);
  let left = made.length;
  return counts.reduce((product, count) => {
    const ways = choices(left, count);
    left -= count;
    return product * ways;
  }, 1);
}

const choices = (of: number, count: number): number =>
  Math.round(Array.from({ length: count }, (_, i) => (of - i) / (i + 1)).reduce((a, b) => a * b, 1));

async function problemOf<World>(
  { outcome, check }: Meeting<World>,
  { world, results }: Order<World>,
  allowed: ReadonlyMap<string, string>,
): Promise<string | undefined> {
  const found = await outcome(world, results);
  try {
    await check?.(world, results);
  } catch (error) {
    return String(error);
  }
  if (allowed.has(JSON.stringify(found))) return undefined;
  return [
    'The end is that of no sequence.',
    ...[...allowed].map(([one, sequence]) => `  ${sequence}:\n${differences(found, JSON.parse(one))}`),
  ].join('\n');
}

const longestLine = 1_000;

/** The lines that only one of two outcomes has. */
function differences(found: unknown, expected: unknown): string {
  const here = linesOf(found);
  const there = linesOf(expected);
  const only = (sign: string, lines: readonly string[], others: readonly string[]) =>
    without(lines, others).map((line) => `    ${sign} ${line.slice(0, longestLine)}`);
  return [...only('+', here, there), ...only('-', there, here)].join('\n');
}

const linesOf = (outcome: unknown): string[] =>
  [outcome].flat(3).map((one) => (typeof one === 'string' ? one : JSON.stringify(one)));

const textOf = (turn: Turn): string => {
  const items = [...turn.reads, ...turn.writes, ...turn.queries].map((item) => item.replace('\n', ' '));
  return `${nameOf(turn)} ${turn.operation} ${items.join(', ')}`;
};
