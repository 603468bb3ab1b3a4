import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { dayMs, hourMs } from '../../../../../functions/shared/runtime/duration.ts';
import { call } from '../../../../support/call.ts';
import { mailsTo } from '../../../../support/mail/mailbox.ts';
import * as modelled from '../../../../support/subscriptions/model.ts';
import {
  act,
  asSeller,
  current,
  newClient,
  newPlan,
  newSeller,
  subscribe,
} from '../../../../support/subscriptions/requests.ts';
import { deliverOutboxOf, noonMs, step } from '../../../../support/subscriptions/steps.ts';
import {
  clientOf,
  expectSound,
  storedSubscriptions,
} from '../../../../support/subscriptions/stored-state.ts';
import type { Tenant } from '../../../../support/tenants.ts';
import { samples } from '../../../../support/thoroughness.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** More sequences find more: `MODEL_RUNS=1000 vitest run ...`. A failure prints the seed that reproduces it. */
const numRuns = Number(process.env.MODEL_RUNS ?? samples({ few: 6, many: 15 }));

type Request =
  | { do: 'create'; trialDays: number }
  | { do: 'pay'; which: number; minor: number; paymentId: string }
  | { do: modelled.Action; which: number; resumesInDays: number | undefined };
type Command =
  | { one: Request }
  | { twice: Request }
  | { both: [Request, Request] }
  | { days: number; late: boolean };

const request: fc.Arbitrary<Request> = fc.oneof(
  fc.record({ do: fc.constant('create' as const), trialDays: fc.constantFrom(0, 14) }),
  fc.record({
    do: fc.constant('pay' as const),
    which: fc.constantFrom(1, 1, 1, 2),
    // Exact, a part, the rest of it, too much, and twice as much.
    minor: fc.constantFrom(999, 999, 400, 599, 1_300, 1_998),
    // One that is drawn twice is a repeat, which another amount contradicts.
    paymentId: fc.noShrink(fc.noBias(fc.uuid())),
  }),
  fc.record({
    do: fc.constantFrom<modelled.Action>(
      'activate',
      'activate',
      'cancel',
      'atPeriodEnd',
      'uncancel',
      'pause',
      'resume',
    ),
    // Usually the newest subscription, sometimes an earlier one.
    which: fc.constantFrom(1, 1, 1, 2, 3),
    resumesInDays: fc.option(fc.integer({ min: 1, max: 40 }), { nil: undefined }),
  }),
);
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 5, arbitrary: request.map((one) => ({ one })) },
  { weight: 1, arbitrary: request.map((twice) => ({ twice })) },
  { weight: 2, arbitrary: fc.tuple(request, request).map((both) => ({ both })) },
  {
    weight: 5,
    arbitrary: fc.record({ days: fc.constantFrom(0.5, 1, 3, 4, 7, 11, 21, 24, 31), late: fc.boolean() }),
  },
);

const newest = (what: modelled.Action): Command => ({
  one: { do: what, which: 1, resumesInDays: undefined },
});
const begin = (trialDays: number): Command => ({ one: { do: 'create', trialDays } });
/** Starting points of sequences, so that late stages of a subscription are reached often enough. */
const beginning = fc.constantFrom<Command[]>(
  [],
  [begin(14)],
  [begin(14), { days: 11, late: false }, newest('activate')],
  [begin(0), newest('activate')],
  [begin(0), newest('activate'), { days: 24, late: false }],
  [begin(0), newest('activate'), { days: 31, late: true }],
);
const sequence = fc
  .tuple(beginning, fc.array(command, { minLength: 2, maxLength: 12 }))
  .map((parts) => parts.flat());

interface World {
  seller: Tenant;
  externalId: string;
  plans: Map<number, string>;
  model: modelled.Model;
}

test('any sequence of requests and days ends in the state that the model predicts', {
  timeout: 12 * 3_600_000,
}, async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: noonMs });
  await fc.assert(fc.asyncProperty(sequence, runSequence), { numRuns });
});

async function runSequence(commands: readonly Command[]): Promise<void> {
  vi.setSystemTime(noonMs);
  const seller = await newSeller();
  const [none, trial] = await Promise.all([newPlan(seller), newPlan(seller, { trialPeriodDays: 14 })]);
  const world: World = {
    seller,
    externalId: await newClient(seller),
    model: modelled.newModel(),
    plans: new Map([
      [0, none],
      [14, trial],
    ]),
  };
  for (const one of commands) await carryOut(world, one);
  await runTimers(world);
  await expectAsModelled(world);
  await expectMailsOnce(world);
}

async function carryOut(world: World, what: Command): Promise<void> {
  if ('days' in what) {
    const untilMs = Date.now() + what.days * dayMs;
    if (!what.late) await runTimers(world, untilMs);
    vi.setSystemTime(untilMs);
  } else if ('one' in what) await inOrder(world, [what.one]);
  else if ('twice' in what) await inOrder(world, [what.twice, what.twice]);
  else await atOnce(world, what.both);
  // No two requests have the same time: requests are counted by the second, and ids sort by time.
  vi.setSystemTime(Date.now() + 2_000);
  const isLate = 'days' in what && what.late;
  await expectAccess(world);
  if (!isLate) {
    await runTimers(world);
    await expectAsModelled(world);
  }
}

async function inOrder(world: World, requests: readonly Request[]): Promise<void> {
  for (const one of requests) {
    const target = targetOf(world.model, one);
    if (isSkipped(world.model, one, target)) continue;
    const answer = await send(world, one, target?.id ?? '');
    expect(answer.status, `${JSON.stringify(one)}: ${answer.text}`).toBe(predict(world.model, one, target));
    if (one.do === 'create' && answer.status === 201) nameNew(world.model, answer.body.subscription._id);
    vi.setSystemTime(Date.now() + 1_000);
  }
}

/** Two concurrent requests have the outcome of the two in sequence, in either order. */
async function atOnce(world: World, both: readonly [Request, Request]): Promise<void> {
  const targets = both.map((one) => targetOf(world.model, one));
  if (both.some((one, i) => isSkipped(world.model, one, targets[i]))) return;
  // Of two at once, the other one can end what the money is for.
  const [first, second] = both;
  if (isUnsaidAfter(world.model, [first, second]) || isUnsaidAfter(world.model, [second, first])) return;
  if (both.every((one) => one.do === 'create')) return inOrder(world, both);
  const answers = await Promise.all(both.map((one, i) => send(world, one, targets[i]?.id ?? '')));
  await runTimers(world);
  const found = { states: await statesOf(world), creditMinor: await creditOf(world) };
  const candidates = [
    [0, 1],
    [1, 0],
  ].map((order) => {
    const model = structuredClone(world.model);
    const statuses: number[] = [];
    for (const i of order) {
      const one = both[i];
      const answer = answers[i];
      if (one === undefined || answer === undefined) throw new Error('No request');
      statuses[i] = predict(
        model,
        one,
        model.all.find(({ id }) => id === targets[i]?.id),
      );
      if (one.do === 'create' && answer.status === 201) nameNew(model, answer.body.subscription._id);
    }
    const { creditMinor } = model.money;
    return { model, outcome: { statuses, states: modelStates(model), creditMinor } };
  });
  const outcome = { statuses: answers.map(({ status }) => status), ...found };
  const fitting = candidates.find((one) => JSON.stringify(one.outcome) === JSON.stringify(outcome));
  if (fitting === undefined) expect(outcome, JSON.stringify(both)).toEqual(candidates[0]?.outcome);
  else world.model = fitting.model;
}

const targetOf = ({ all }: modelled.Model, one: Request) =>
  one.do === 'create' ? undefined : all.at(-one.which);
/** The model does not say what money for an ended subscription does while another one goes on: the walks recount it. */
const isSkipped = (
  model: modelled.Model,
  one: Request,
  target: modelled.ModelSubscription | undefined,
): boolean => {
  if (one.do === 'create') return false;
  return target === undefined || (one.do === 'pay' && !modelled.isPredictable(model, target, Date.now()));
};
/** Whether the model does not say what the second request does after the first. */
function isUnsaidAfter(model: modelled.Model, [first, second]: readonly [Request, Request]): boolean {
  const after = structuredClone(model);
  const target = targetOf(after, second);
  predict(after, first, targetOf(after, first));
  return isSkipped(after, second, target);
}
function nameNew({ all }: modelled.Model, id: string): void {
  const fresh = all.find((one) => one.id === undefined);
  if (fresh) fresh.id = id;
}

function predict(
  model: modelled.Model,
  one: Request,
  target: modelled.ModelSubscription | undefined,
): number {
  if (one.do === 'create') return modelled.create(model, one.trialDays, Date.now());
  if (target === undefined) throw new Error('No target');
  if (one.do === 'pay') {
    const { paymentId, minor: amountMinor } = one;
    return modelled.pay(model, target, { paymentId, amountMinor }, Date.now());
  }
  return modelled.act(model, target, one.do, Date.now(), resumesMs(one));
}

const resumesMs = ({ resumesInDays }: { resumesInDays?: number | undefined }) =>
  resumesInDays === undefined ? undefined : Date.now() + resumesInDays * dayMs;

function send({ seller, externalId, plans }: World, one: Request, id: string) {
  if (one.do === 'create')
    return subscribe(seller, { body: { externalId, planId: plans.get(one.trialDays) ?? '' } });
  if (one.do === 'pay')
    return call('finance.payment-create', {
      headers: asSeller(seller),
      body: { subscriptionId: id, amount: one.minor / 100, currency: 'EUR', paymentId: one.paymentId },
    });
  if (one.do === 'atPeriodEnd') return act(seller, 'cancel', id, { atPeriodEnd: true });
  const untilMs = resumesMs(one);
  const body =
    one.do === 'pause' && untilMs !== undefined ? { resumesAt: new Date(untilMs).toISOString() } : undefined;
  return act(seller, one.do, id, body);
}

/** Runs the due steps, each at its own time where that is in the future. */
async function runTimers({ seller, externalId }: World, untilMs = Date.now()): Promise<void> {
  for (;;) {
    const all = await storedSubscriptions(seller, externalId);
    const due = all
      .map(({ subscription }) => subscription)
      .filter(({ timer }) => timer !== undefined && timer.dueAtMs <= untilMs)
      .toSorted((a, b) => (a.timer?.dueAtMs ?? 0) - (b.timer?.dueAtMs ?? 0));
    const [first] = due;
    if (first === undefined) return;
    vi.setSystemTime(Math.max(Date.now(), first.timer?.dueAtMs ?? 0));
    await step(first);
  }
}

async function expectAccess({ seller, externalId, model }: World): Promise<void> {
  if (model.all.length === 0) return;
  const expected = modelled.access(structuredClone(model), Date.now());
  expect((await current(seller, externalId)).body.subscription.access).toBe(expected);
}

const creditOf = async ({ seller, externalId }: Pick<World, 'seller' | 'externalId'>): Promise<number> =>
  (await clientOf(seller, externalId))?.credit?.EUR ?? 0;

async function statesOf({ seller, externalId }: Pick<World, 'seller' | 'externalId'>) {
  const all = await storedSubscriptions(seller, externalId);
  return all.map(
    ({ subscription: { subscriptionId, status, termEndMs = 0, cancelAtPeriodEnd }, invoices }) => [
      ...[subscriptionId, status, termEndMs],
      ...[
        (status === 'active' || status === 'trialing') && cancelAtPeriodEnd,
        invoices.map((one) => one.status).join(),
      ],
    ],
  );
}

const modelStates = ({ all }: modelled.Model) =>
  all.map(({ id, status, endMs = 0, ending = false, invoices }) => [
    ...[id, status, endMs, (status === 'active' || status === 'trialing') && ending],
    invoices.map((invoice) => invoice.status).join(),
  ]);

async function expectAsModelled(world: World): Promise<void> {
  modelled.pass(world.model, Date.now());
  expect(await statesOf(world)).toEqual(modelStates(world.model));
  const { creditMinor } = world.model.money;
  expect(await creditOf(world), 'credit').toBe(creditMinor);
  await expectSound(world.seller, world.externalId);
}

async function expectMailsOnce({ seller, externalId }: World): Promise<void> {
  vi.setSystemTime(Date.now() + hourMs);
  const all = await storedSubscriptions(seller, externalId);
  for (const { subscription } of all) await deliverOutboxOf(subscription);
  const after = (await storedSubscriptions(seller, externalId)).flatMap(({ outbox }) => outbox);
  expect(
    after.filter(({ doneAtMs, droppedAtMs }) => doneAtMs === undefined && droppedAtMs === undefined),
  ).toEqual([]);
  const mails = await mailsTo((await clientOf(seller, externalId))?.email ?? '');
  expect(mails).toHaveLength(after.filter(({ doneAtMs }) => doneAtMs !== undefined).length);
}
