/** Runs two commands in one world, under every order of their calls to the table. */

import type { FaultyConnection } from '../faults/connection.ts';
import { footprint } from '../faults/footprint.ts';
import { type Answered, type Call, call, registered } from '../support/call.ts';
import { meet } from '../support/orders/accesses.ts';
import { everyOrder, type Orders, type Search, WrongOrder } from '../support/orders/every-order.ts';
import { formOf, formOfItems, type Watched, watchWrites } from '../support/orders/left.ts';
import { faultsOf, type OneFault } from '../support/orders/one-fault.ts';
import { longestWaiting, type Meeting } from '../support/orders/sequences.ts';
import { inTurns, type Turn } from '../support/orders/turns.ts';
import { samples } from '../support/samples/requests.ts';
import type { Pair } from './pairs.ts';
import { type Prepared, transplanted } from './transplant.ts';

/** How the pair came out: why its orders were not run, or their count. */
export type Run = { readonly left: Left } | { readonly orders: Orders };
export type Left = 'refused' | 'apart' | 'long';

interface World {
  readonly calls: readonly [Call, Call];
  readonly writes: Watched;
}

const mostCalls = 16;

/** @throws WrongOrder */
export async function runPair(pair: Pair, search: Pick<Search, 'most' | 'schedule'>): Promise<Run> {
  const found = await tryPair(pair);
  if (typeof found === 'string') return { left: found };
  return { orders: await everyOrder(meetingOf(pair, found), search) };
}

/**
 * Runs the pair with a fault of one call of the first, after which its client sends the request again, in every order.
 *
 * @param draw the faults that are run, of all.
 * @throws WrongOrder that names the fault.
 */
export async function runPairWithFaults(
  pair: Pair,
  connection: FaultyConnection,
  most: number,
  draw: (faults: readonly OneFault[]) => readonly OneFault[],
): Promise<Run> {
  const found = await tryPair(pair);
  if (typeof found === 'string') return { left: found };
  const meeting = meetingOf(pair, { ...found, isPatient: true });
  const { turns } = await inSequence(meeting, [0, 1]);
  const faults = (turns[0] ?? []).flatMap((turn) =>
    faultsOf(turn).map((kind) => ({ kind, of: { work: 0, nth: turn.nth } })),
  );
  let run = 0;
  let same = 0;
  let all = 0;
  let isCut = false;
  for (const fault of draw(faults)) {
    const orders = await everyOrder(meeting, { most, fault: { ...fault, connection } }).catch((error) => {
      if (!(error instanceof WrongOrder)) throw error;
      throw new Error(`A${fault.of.nth} ${fault.kind}: ${error.message}`);
    });
    run += orders.run;
    same += orders.same;
    all += orders.all;
    isCut ||= orders.isCut;
  }
  return { orders: { run, same, all, isCut } };
}

/** How the second request is made for the world of the first. */
interface Way {
  /** It has the credentials of the first one. */
  readonly withHeaders: boolean;
  /** Requests have a key of idempotency where they may, and are sent again after an error. */
  readonly isPatient?: boolean;
}

/** How the second succeeds in the world of the first, before or after it, when they use the same items then. */
async function tryPair(pair: Pair): Promise<Way | Left> {
  for (const withHeaders of [true, false])
    for (const sequence of [
      [0, 1],
      [1, 0],
    ]) {
      const { answers, turns } = await inSequence(meetingOf(pair, { withHeaders }), sequence);
      if (!isSuccess(pair.second, answers[1])) continue;
      const [first = [], second = []] = turns;
      if (!first.some((one) => second.some((other) => meet(one, other)))) return 'apart';
      return Math.max(first.length, second.length) > mostCalls ? 'long' : { withHeaders };
    }
  return 'refused';
}

/** Does the works one after another. @returns the answer and the calls of each. */
async function inSequence(meeting: Meeting<World>, sequence: readonly number[]) {
  const works = meeting.works(await meeting.setup());
  const turns: Turn[][] = works.map(() => []);
  const answers: unknown[] = [];
  for (const index of sequence) {
    const [settled] = await inTurns(works.slice(index, index + 1), {
      choose: longestWaiting,
      caused: (turn) => {
        turns[index]?.push(turn);
        return [];
      },
    });
    answers[index] = settled?.status === 'fulfilled' ? settled.value : undefined;
  }
  return { answers, turns };
}

const isSuccess = (id: string, answer: unknown) =>
  typeof answer === 'string' && answer.startsWith(String(registered(id).route.status ?? 200));

function meetingOf({ first, second }: Pair, { withHeaders, isPatient = false }: Way): Meeting<World> {
  const send = isPatient ? sentUntilAnswered : answerOf;
  return {
    setup: async () => {
      // An operation meets itself with the same request, sent twice.
      const other = first === second ? undefined : await prepared(second);
      const own = await prepared(first);
      const request = other === undefined ? own.request : transplanted(other, own, withHeaders);
      const calls = [own.request, request] as const;
      return {
        calls: isPatient ? [keyed(first, calls[0]), keyed(second, calls[1])] : calls,
        writes: own.writes,
      };
    },
    works: ({ calls }) => [first, second].map((id, i) => () => send(id, calls[i])),
    // A request that was given up in the middle may leave a payload that nobody gets: the states of items are compared.
    outcome: async ({ writes }, results) => [
      results,
      isPatient ? footprint(await writes()) : formOfItems(await writes()),
    ],
  };
}

async function prepared(id: string): Promise<Prepared & { writes: Watched }> {
  const writes = watchWrites();
  const request = (await samples[id]?.()) ?? {};
  return { request, items: await writes(), writes };
}

const keyHeader = 'idempotency-key';

/** The request with a key of its own, where the operation takes one. */
function keyed(id: string, request: Call): Call {
  const { headers } = registered(id).route;
  if (headers === undefined || !(keyHeader in headers.shape)) return request;
  return { ...request, headers: { [keyHeader]: `order-${id}`, ...request.headers } };
}

/** The answer without ids and times. A client repeats what is answered 409 or 503 without a change of its own. */
async function answerOf(id: string, request: Call | undefined) {
  const { status, body }: Answered = await call(id, request);
  return `${status} ${formOf(body)}`;
}

/** The answer to a request that is sent once more after an error of the server. */
async function sentUntilAnswered(id: string, request: Call | undefined) {
  const answer = await answerOf(id, request);
  return answer.startsWith('5') ? answerOf(id, request) : answer;
}
