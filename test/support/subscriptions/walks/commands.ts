/** The steps of a walk: requests of the seller with random bodies, and the time that passes. */

import { dueMinor } from '../../../../functions/invoices/due.ts';
import { registeredRoutes } from '../../../../functions/routes.ts';
import { defined } from '../../../../functions/shared/contract/defined.ts';
import { dayMs } from '../../../../functions/shared/runtime/duration.ts';
import type { Subscription } from '../../../../functions/subscriptions/record/subscription.ts';
import { type Answered, call } from '../../call.ts';
import type { Seeded } from '../../parallel/seeded.ts';
import { asSeller, callFor, returnUrls } from '../requests.ts';
import { type PlanName, planNames, type World } from './world.ts';

/** A request that is ready to be sent, in words for the report of a failure. */
export interface Command {
  readonly name: string;
  /** The subscription or the payment that it is about. */
  readonly id?: string;
  readonly body?: object;
}

/** The route of each command. */
const routeOf: Readonly<Record<string, string>> = {
  create: 'subscriptions.create',
  activate: 'payments.activate',
  cancel: 'subscriptions.cancel',
  uncancel: 'subscriptions.uncancel',
  pause: 'subscriptions.pause',
  resume: 'subscriptions.resume',
  change: 'subscriptions.change',
  patch: 'subscriptions.update',
  pay: 'payments.create',
  apply: 'payments.apply',
  return: 'payments.return',
  reverse: 'payments.reverse',
  payOut: 'payments.pay-out',
  reallocate: 'payments.reallocate',
  credit: 'subscriptions.credit-invoice',
};

const built = new Set(registeredRoutes().map(({ id }) => id));

/** Whether the service has the command. */
const isBuilt = (name: string): boolean => built.has(routeOf[name] ?? '');

/** Sends a command. @returns the answer. */
export async function send(world: World, { name, id, body }: Command): Promise<Answered> {
  const route = routeOf[name] ?? '';
  const params = { externalId: world.externalId };
  const request =
    id === undefined ? { headers: asSeller(world.seller), params, body } : callFor(world.seller, id, body);
  const answer = await call(route, request);
  const paymentId = answer.body?.payment?._id;
  if (typeof paymentId === 'string') world.payments.add(paymentId);
  return answer;
}

/** How often each command is drawn. */
const weights: Readonly<Record<string, number>> = {
  create: 2,
  activate: 4,
  pay: 10,
  apply: 2,
  return: 3,
  reverse: 2,
  payOut: 2,
  reallocate: 3,
  credit: 2,
  cancel: 2,
  uncancel: 1,
  pause: 2,
  resume: 2,
  change: 2,
  patch: 1,
};

const drawn = Object.entries(weights).flatMap(([name, weight]) =>
  isBuilt(name) ? Array.from({ length: weight }, () => name) : [],
);

/** Draws a command. @param subscriptions those of the client, oldest first. */
export function drawCommand(random: Seeded, world: World, subscriptions: readonly Subscription[]): Command {
  const name = random.pick(drawn);
  const alive = subscriptions.filter(({ endedAtMs }) => endedAtMs === undefined);
  // Usually one that goes on; sometimes one that ended, which money can still be meant for.
  const target = (random.oneIn(5) ? undefined : alive.at(-1)) ?? subscriptions.at(-random.pick([1, 1, 2, 3]));
  for (const { invoiceId } of alive.flatMap(({ openInvoices }) => openInvoices))
    world.invoices.add(invoiceId);
  const begins = target === undefined || (alive.length === 0 && random.oneIn(2));
  if (name === 'create' || begins) return creation(random, world);
  return named(name, { random, world, target });
}

interface Draw {
  random: Seeded;
  world: World;
  target: Subscription;
}

/** A command of a name, about a subscription. */
function named(name: string, { random, world, target }: Draw): Command {
  const { subscriptionId: id } = target;
  const later = (days: number) => new Date(Date.now() + days * dayMs).toISOString();
  switch (name) {
    case 'activate':
      return { name, id, body: activation(random, target) };
    case 'pay':
      return { name, body: payment(random, world, target) };
    case 'apply':
    case 'return': {
      const [...known] = world.payments;
      if (known.length === 0) return { name: 'pay', body: payment(random, world, target) };
      const body = name === 'apply' ? { subscriptionId: id } : {};
      return { name, id: random.pick(known), body };
    }
    case 'reverse': {
      const [...known] = world.payments;
      if (known.length === 0) return { name: 'pay', body: payment(random, world, target) };
      const amount = random.pick([undefined, undefined, undefined, 0, 2, 6]);
      return { name, id: random.pick(known), body: { reason: 'Recalled.', ...defined({ amount }) } };
    }
    case 'reallocate': {
      const [...known] = world.payments;
      if (known.length === 0) return { name: 'pay', body: payment(random, world, target) };
      return { name, id: random.pick(known), body: reallocation(random, target) };
    }
    case 'payOut':
      return { name, body: payOut(random) };
    case 'credit': {
      const [...known] = world.invoices;
      if (known.length === 0) return { name: 'pay', body: payment(random, world, target) };
      const amount = random.pick([undefined, undefined, 0.5, 1.11, 5]);
      return { name, id: random.pick(known), body: { reason: 'It was wrong.', ...defined({ amount }) } };
    }
    case 'cancel':
      return { name, id, body: random.oneIn(2) ? { atPeriodEnd: true } : {} };
    case 'pause':
      return { name, id, body: random.oneIn(2) ? { resumesAt: later(1 + random.below(40)) } : {} };
    case 'change':
      return { name, id, body: changeOfPlan(random, world) };
    case 'patch':
      return { name, id, body: { ...patch(random, target), reason: 'For the trouble.' } };
    default:
      return { name, id };
  }
}

function changeOfPlan(random: Seeded, { plans }: World): object {
  const name = random.pick(['monthly', 'weekly', 'dear', 'free', 'seats', 'seats'] as const);
  return defined({
    planId: plans[name],
    quantity: name === 'seats' ? random.pick([undefined, 1, 2, 5]) : undefined,
    when: random.pick([undefined, 'now', 'period_end']),
    proration: random.pick([undefined, 'credit', 'none']),
  });
}

/** Credit that is sent back: often more than there is, and sometimes under the id of an earlier one. */
function payOut(random: Seeded): object {
  const payOutId = `o-${random.below(20)}`;
  const amount = random.pick([0.5, 1, 5]);
  return { payOutId, amount, currency: 'EUR', reason: 'Asked for it.' };
}

/** Another purpose of a payment: the open invoices, in full or in part, or nothing. */
function reallocation(random: Seeded, { openInvoices }: Subscription): object {
  const invoices = openInvoices
    .filter(() => !random.oneIn(4))
    .map((open) => ({
      invoiceId: open.invoiceId,
      amount: Math.max(1, Math.round(dueMinor(open) / random.pick([1, 1, 2]))) / 100,
    }));
  return { invoices, reason: 'It was for something else.' };
}

/** A later end, by some days, or another value of `autoRenew`. */
function patch(random: Seeded, { status, trialEndMs, termEndMs, autoRenew }: Subscription): object {
  if (random.oneIn(3)) return { autoRenew: !autoRenew };
  const later = (fromMs = Date.now()) =>
    new Date(Math.max(fromMs, Date.now()) + (1 + random.below(10)) * dayMs).toISOString();
  return status === 'trialing' ? { trialEnd: later(trialEndMs) } : { endDate: later(termEndMs) };
}

function creation(random: Seeded, { externalId, plans }: World): Command {
  const plan: PlanName = random.oneIn(2) ? 'monthly' : random.pick(planNames);
  const quantity = plan === 'seats' ? random.pick([undefined, 2, 3]) : undefined;
  return {
    name: 'create',
    body: { ...returnUrls, externalId, planId: plans[plan], ...defined({ quantity }) },
  };
}

function activation(random: Seeded, target: Subscription): object {
  const due = dueOf(target);
  return random.pick<object>(
    [
      {},
      {},
      { invoiceId: due.invoiceId },
      { amount: due.amount, currency: due.currency, paymentId: `a-${random.below(1_000)}` },
    ].filter((body) => !('invoiceId' in body) || body.invoiceId !== undefined),
  );
}

/** The amount due of the oldest open invoice, or the price of the plan. */
export function dueOf({ openInvoices, plan }: Subscription) {
  const [oldest] = openInvoices;
  const minor = oldest === undefined ? plan.priceMinor : dueMinor(oldest);
  return {
    invoiceId: oldest?.invoiceId,
    amount: Math.max(1, minor) / 100,
    currency: oldest?.currency ?? plan.currency,
  };
}

/** A payment: exact, in part, too much, short by a fee, of another currency, late, or one that was reported before. */
function payment(random: Seeded, world: World, target: Subscription): object {
  const earlier = world.sent.at(-1);
  if (earlier !== undefined && random.oneIn(8)) return earlier;
  const { amount, invoiceId, currency } = dueOf(target);
  const paid = random.pick([amount, amount, amount, amount / 2, amount * 2, amount - 0.3, amount + 5]);
  const named = random.pick([
    { reference: target.referenceNumber },
    { reference: target.referenceNumber },
    { subscriptionId: target.subscriptionId },
    invoiceId === undefined ? { reference: 'rent of November' } : { invoiceId },
  ]);
  const body = {
    ...named,
    amount: Math.max(1, Math.round(paid * 100)) / 100,
    currency: random.oneIn(10) ? 'USD' : currency,
    valueDate: new Date(Date.now() - random.pick([0, 0, 0, 1, 3, 10, 25]) * dayMs).toISOString(),
    paymentId: `t-${world.sent.length + 1}`,
  };
  world.sent.push(body);
  return body;
}
