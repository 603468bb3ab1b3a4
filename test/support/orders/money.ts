/** Meetings of two works that touch the money of clients. */
import type { Status } from '../../../functions/subscriptions/record/subscription.ts';
import { handler as runStep } from '../../../functions/subscriptions/run-step.ts';
import { type Answered, call, inputFor, newSeller, noonMs, type Tenant } from '../call.ts';
import { transfer } from '../payments/payments.ts';
import { writtenEvents } from '../subscriptions/events.ts';
import { expectSound } from '../subscriptions/stored-state.ts';
import { samples } from '../thoroughness.ts';
import { atOnce, putBack } from './at-once.ts';
import type { Work as AnyWork } from './turns.ts';

export type Work = AnyWork<unknown>;

/** A client of a seller. */
export interface Owner {
  seller: Tenant;
  externalId: string;
}

/** A subscription of a client. */
export interface One extends Owner {
  id: string;
}

/** Two works, and the clients whose money they touch. */
export interface Met {
  readonly clients: readonly [Owner, ...Owner[]];
  readonly works: readonly Work[];
}
export type Meeting = () => Promise<Met>;

export const met = (client: Owner, ...works: Work[]): Met => ({ clients: [client], works });
export const twice = (client: Owner, work: Work): Met => met(client, work, work);

/** A subscription of a new seller. */
export async function subscription(status: Status): Promise<One> {
  const seller = await newSeller();
  return { seller, ...(await seller.brought(status)) };
}

export async function briefly(answer: Promise<Answered>): Promise<unknown> {
  const { status, body } = await answer;
  return [status, body?.error ?? body?.details];
}

export const reason = 'For the test.';

export const activate = (one: One, body?: object) => () => briefly(one.seller.act('activate', one.id, body));

export const onPayment =
  (what: string, seller: Tenant, id: string, body: object = {}) =>
  () =>
    briefly(call(`payments.${what}`, seller.callFor(id, body)));

/** A transfer of the price, with the same id each time. */
export const paid = (one: One) => async () =>
  (await transfer(one.seller, one.id, 999, { sourceId: 'the-one' })).kind;

/** The task of the timer of the subscription, which is due from now on. */
export async function dueStep({ seller, externalId }: One, lateMs = 0): Promise<Work> {
  const seen = await seller.stateOf(externalId);
  vi.setSystemTime((seen.timer?.dueAtMs ?? 0) + lateMs);
  return () => runStep(inputFor(seen));
}

/** The first orders of a search change places of the last calls that meet: writes, and what is read for them. */
const most = samples({ few: 8, many: 1_000 });

/**
 * Runs a meeting in every order, each of which leaves the books of its clients sound. Each begins at the same time, with the same
 * items: to put them back takes a call, and to make new ones up to a hundred.
 *
 * @param of `isInParts`: see {@link Begun}. `check` judges the types of the events that the works have written.
 */
export async function expectSoundInEveryOrder(
  meeting: Meeting,
  of: { isInParts?: boolean; check?: (types: readonly string[]) => unknown } = {},
): Promise<void> {
  vi.setSystemTime(noonMs);
  const begin = await putBack(async () => {
    const { clients, works } = await meeting();
    const [{ seller }] = clients;
    const before = new Set((await writtenEvents(seller.applicationId)).map(({ groupId }) => groupId));
    const check = async () => {
      await expectSound(seller, ...clients.map(({ externalId }) => externalId));
      const events = await writtenEvents(seller.applicationId);
      of.check?.(events.filter(({ groupId }) => !before.has(groupId)).map(({ type }) => type));
    };
    return { works, isInParts: of.isInParts === true, check };
  });
  expect((await atOnce(begin, { most })).run).toBeGreaterThan(1);
}
