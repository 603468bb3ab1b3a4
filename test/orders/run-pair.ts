/** Runs two commands in one world, under every order of their calls to the table. */
import { defined } from '../../functions/shared/contract/defined.ts';
import { type Answered, type Call, call, registered } from '../support/call.ts';
import { type Accesses, meet } from '../support/orders/accesses.ts';
import { everyOrder, type Meeting, type Orders } from '../support/orders/every-order.ts';
import { formOf, formOfItems, type Watched, watchWrites } from '../support/orders/left.ts';
import { inTurns } from '../support/orders/turns.ts';
import { samples } from '../support/samples/requests.ts';
import type { Pair } from './pairs.ts';
import { type Prepared, transplanted } from './transplant.ts';

/** How the pair came out: why its orders were not run, or their count. */
export type Run = { readonly left: 'refused' | 'apart' | 'long' } | { readonly orders: Orders };

interface World {
  readonly calls: readonly [Call, Call];
  readonly writes: Watched;
}

const mostCalls = 16;

/** @throws WrongOrder */
export async function runPair(pair: Pair, most: number, schedule?: string): Promise<Run> {
  for (const withHeaders of [true, false]) {
    const tried = await tryPair(pair, withHeaders);
    if (tried === 'refused') continue;
    if (tried !== 'meets') return { left: tried };
    return {
      orders: await everyOrder(meetingOf(pair, withHeaders), {
        most,
        ...defined({ schedule }),
      }),
    };
  }
  return { left: 'refused' };
}

/** Whether the second succeeds in the world of the first, before or after it, and whether they use the same items then. */
async function tryPair(pair: Pair, withHeaders: boolean): Promise<'refused' | 'apart' | 'long' | 'meets'> {
  for (const sequence of [
    [0, 1],
    [1, 0],
  ]) {
    const { answers, calls } = await inSequence(meetingOf(pair, withHeaders), sequence);
    if (!isSuccess(pair.second, answers[1])) continue;
    const [first = [], second = []] = calls;
    if (!first.some((one) => second.some((other) => meet(one, other)))) return 'apart';
    return Math.max(first.length, second.length) > mostCalls ? 'long' : 'meets';
  }
  return 'refused';
}

/** Does the works one after another. @returns the answer and the calls of each. */
async function inSequence(meeting: Meeting<World>, sequence: readonly number[]) {
  const works = meeting.works(await meeting.setup());
  const calls: Accesses[][] = works.map(() => []);
  const answers: unknown[] = [];
  for (const index of sequence) {
    const alone = works.slice(index, index + 1);
    const [settled] = await inTurns(alone, ([turn]) => {
      if (turn === undefined) throw new Error('A turn needs a call that waits');
      calls[index]?.push(turn);
      return turn;
    });
    answers[index] = settled?.status === 'fulfilled' ? settled.value : undefined;
  }
  return { answers, calls };
}

const isSuccess = (id: string, answer: unknown) =>
  typeof answer === 'string' && answer.startsWith(String(registered(id).route.status ?? 200));

function meetingOf({ first, second }: Pair, withHeaders: boolean): Meeting<World> {
  return {
    setup: async () => {
      // An operation meets itself with the same request, sent twice.
      const other = first === second ? undefined : await prepared(second);
      const own = await prepared(first);
      const request = other === undefined ? own.request : transplanted(other, own, withHeaders);
      return { calls: [own.request, request], writes: own.writes };
    },
    works: ({ calls }) => [first, second].map((id, i) => () => answerOf(id, calls[i])),
    outcome: async ({ writes }, results) => [results, formOfItems(await writes())],
  };
}

async function prepared(id: string): Promise<Prepared & { writes: Watched }> {
  const writes = watchWrites();
  const request = (await samples[id]?.()) ?? {};
  return { request, items: await writes(), writes };
}

/** The answer without ids and times. A client repeats what is answered 409 or 503 without a change of its own. */
async function answerOf(id: string, request: Call | undefined) {
  const { status, body }: Answered = await call(id, request);
  return `${status} ${formOf(body)}`;
}
