/** Works that are done one after another. */
import { defined } from '../../../functions/shared/contract/defined.ts';
import { type CallOfWork, inTurns, type Turn, type Work } from './turns.ts';

/** Works that meet in a world. */
export interface Meeting<World> {
  /** Makes a world in which no other order has left anything. */
  readonly setup: () => Promise<World>;
  /** The works, each of which is done once. */
  readonly works: (world: World) => readonly Work<unknown>[];
  /** The works that a call causes: the delivery of a record of the stream, once or twice. They are done at any later time. */
  readonly caused?: (world: World, turn: Turn) => readonly Work<unknown>[];
  /** The records that are left: equal in JSON for two worlds in which the same happened. */
  readonly outcome: (world: World, results: readonly unknown[]) => Promise<unknown>;
  /** Judges the end of an order. @throws Error that says what is wrong. */
  readonly check?: (world: World, results: readonly unknown[]) => unknown;
}

/** The letter of a work, in the order in which they begin. */
export const letterOf = (work: number): string => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.charAt(work);

export const resultOf = (settled: PromiseSettledResult<unknown> | undefined): unknown =>
  settled?.status === 'fulfilled' ? settled.value : `threw ${settled?.reason}`;

/**
 * Does the works in each sequence. What a work causes is done at each later place.
 *
 * @param repeated the index of a work that is done twice, as by a client that got no answer. Its second result counts.
 * @returns the sequences by their outcome.
 */
export async function outcomesOfSequences<World>(
  meeting: Meeting<World>,
  repeated?: number,
): Promise<Map<string, string>> {
  const outcomes = new Map<string, string>();
  const choices: Choice[] = [];
  do {
    const world = await meeting.setup();
    const { results, sequence } = await oneAfterAnother(meeting, world, choices, repeated);
    outcomes.set(JSON.stringify(await meeting.outcome(world, results)), sequence);
    await meeting.check?.(world, results);
  } while (moveOn(choices));
  return outcomes;
}

/** The work that is done next, of as many as wait. */
interface Choice {
  chosen: number;
  of: number;
}

function moveOn(choices: Choice[]): boolean {
  for (let last = choices.at(-1); last !== undefined; last = choices.at(-1)) {
    last.chosen += 1;
    if (last.chosen < last.of) return true;
    choices.pop();
  }
  return false;
}

interface Pending {
  readonly work: Work<unknown>;
  readonly index: number;
  readonly cause?: CallOfWork;
}

async function oneAfterAnother<World>(
  { works, caused }: Meeting<World>,
  world: World,
  choices: Choice[],
  repeated?: number,
) {
  const given = works(world).map((work, index): Pending => ({ work, index }));
  const pending = [...given, ...given.filter(({ index }) => index === repeated)];
  let begun = given.length;
  const results: unknown[] = [];
  const done: string[] = [];
  for (let place = 0; pending.length > 0; place += 1) {
    choices[place] ??= { chosen: 0, of: pending.length };
    const [next] = pending.splice(choices[place]?.chosen ?? 0, 1);
    if (next === undefined) throw new Error('A choice is one of the works that wait');
    const [settled] = await inTurns([next.work], {
      choose: longestWaiting,
      caused: (alone) => {
        const turn = { ...alone, work: next.index, ...defined({ cause: next.cause }) };
        for (const work of caused?.(world, turn) ?? []) {
          pending.push({ work, index: begun, cause: { work: turn.work, nth: turn.nth } });
          begun += 1;
        }
        return [];
      },
    });
    if (next.index < given.length) results[next.index] = resultOf(settled);
    done.push(letterOf(next.index));
  }
  return { results, sequence: done.join(', then ') };
}

/** Chooses the call that waits longest. */
export function longestWaiting([turn]: readonly Turn[]): Turn {
  if (turn === undefined) throw new Error('A turn needs a call that waits');
  return turn;
}
