/** The steps of a walk: requests of the seller with random bodies, and the time that passes. */

import { dueMinor } from '../../../../functions/invoices/due.ts';
import { registeredRoutes } from '../../../../functions/routes.ts';
import { defined } from '../../../../functions/shared/contract/defined.ts';
import { dayMs } from '../../../../functions/shared/runtime/clock.ts';
import type { Subscription } from '../../../../functions/subscriptions/record/subscription.ts';
import { type Answered, call, returnUrls } from '../../call.ts';
import type { Seeded } from '../../parallel/seeded.ts';
import { type Client, planNames, type Shop, type World } from './world.ts';

/** A request that is ready to be sent. */
export interface Command {
  readonly name: string;
  /** Who sends it, and the client that it is about. */
  readonly shop: Shop;
  readonly externalId: string;
  /** The record that it names is of another seller. */
  readonly isForeign?: true;
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

/** Sends a command. @returns the answer. @throws Error when a seller reaches a record of another one. */
export async function send({ name, shop, externalId, id, body, isForeign }: Command): Promise<Answered> {
  const route = routeOf[name] ?? '';
  const request =
    id === undefined
      ? { headers: shop.seller.headers, params: { externalId }, body }
      : shop.seller.callFor(id, body);
  const answer = await call(route, request);
  if (isForeign && answer.status !== 404) throw new Error(`A foreign ${id} is answered ${answer.status}`);
  const paymentId = answer.body?.payment?._id;
  if (typeof paymentId === 'string') shop.payments.add(paymentId);
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

/** Draws a command about a client of any seller. @param all the subscriptions of all, those of each client oldest first. */
export function drawCommand(random: Seeded, { shops }: World, all: readonly Subscription[]): Command {
  const name = random.pick(drawn);
  const shop = random.pick(shops);
  const client = random.pick(shop.clients);
  const { externalId } = client;
  const { applicationId } = shop.seller;
  const ofShop = all.filter((one) => one.applicationId === applicationId);
  const subscriptions = ofShop.filter((one) => one.externalId === externalId);
  const alive = subscriptions.filter(({ endedAtMs }) => endedAtMs === undefined);
  // Usually one that goes on; sometimes one that ended, which money can still be meant for.
  const target = (random.oneIn(5) ? undefined : alive.at(-1)) ?? subscriptions.at(-random.pick([1, 1, 2, 3]));
  for (const { invoiceId } of ofShop.flatMap(({ openInvoices }) => openInvoices))
    shop.invoices.add(invoiceId);
  const sender = { shop, externalId };
  const begins = target === undefined || (alive.length === 0 && random.oneIn(2));
  if (name === 'create' || begins) return Object.assign(creation(random, shop, client), sender);
  const command = named(name, { random, shop, client, target, all });
  const other = shops.find((one) => one !== shop);
  const isForeign = command.id !== undefined && other !== undefined && random.oneIn(25);
  return isForeign
    ? Object.assign(command, { shop: other, externalId, isForeign } as const)
    : Object.assign(command, sender);
}

/** A command without its sender. */
type Request = Omit<Command, 'shop' | 'externalId' | 'isForeign'>;

interface Draw {
  random: Seeded;
  shop: Shop;
  client: Client;
  target: Subscription;
  all: readonly Subscription[];
}

/** A command of a name, about a subscription. */
function named(name: string, draw: Draw): Request {
  const { random, shop, client, target } = draw;
  const { subscriptionId: id } = target;
  const later = (days: number) => new Date(Date.now() + days * dayMs).toISOString();
  switch (name) {
    case 'activate':
      return { name, id, body: activation(random, target) };
    case 'pay':
      return { name, body: payment(random, shop, target) };
    case 'apply':
    case 'return': {
      const [...known] = shop.payments;
      if (known.length === 0) return { name: 'pay', body: payment(random, shop, target) };
      // Another client of the seller can have it; a client of another seller is unknown.
      const { subscriptionId } = random.oneIn(4) ? random.pick(draw.all) : target;
      const body = name === 'apply' ? { subscriptionId } : {};
      return { name, id: random.pick(known), body };
    }
    case 'reverse': {
      const [...known] = shop.payments;
      if (known.length === 0) return { name: 'pay', body: payment(random, shop, target) };
      const amount = random.pick([undefined, undefined, undefined, 0, 2, 6]);
      return { name, id: random.pick(known), body: { reason: 'Recalled.', ...defined({ amount }) } };
    }
    case 'reallocate': {
      const [...known] = shop.payments;
      if (known.length === 0) return { name: 'pay', body: payment(random, shop, target) };
      return { name, id: random.pick(known), body: reallocation(draw) };
    }
    case 'payOut':
      return { name, body: payOut(random, client) };
    case 'credit': {
      const [...known] = shop.invoices;
      if (known.length === 0) return { name: 'pay', body: payment(random, shop, target) };
      const amount = random.pick([undefined, undefined, 0.5, 1.11, 5]);
      return { name, id: random.pick(known), body: { reason: 'It was wrong.', ...defined({ amount }) } };
    }
    case 'cancel':
      return { name, id, body: random.oneIn(2) ? { atPeriodEnd: true } : {} };
    case 'pause':
      return { name, id, body: random.oneIn(2) ? { resumesAt: later(1 + random.below(40)) } : {} };
    case 'change':
      return { name, id, body: changeOfPlan(random, shop) };
    case 'patch':
      return { name, id, body: { ...patch(random, target), reason: 'For the trouble.' } };
    default:
      return { name, id };
  }
}

function changeOfPlan(random: Seeded, { plans }: Shop): object {
  const name = random.pick(['monthly', 'weekly', 'dear', 'free', 'seats', 'seats'] as const);
  return defined({
    planId: plans[name],
    quantity: name === 'seats' ? random.pick([undefined, 1, 2, 5]) : undefined,
    when: random.pick([undefined, 'now', 'period_end']),
    proration: random.pick([undefined, 'credit', 'none']),
  });
}

/** Credit that is sent back: often more than there is, and sometimes under the id of an earlier one. */
function payOut(random: Seeded, { usual }: Client): object {
  const payOutId = `o-${random.below(20)}`;
  const amount = random.pick([0.5, 1, 5]);
  const currency = usual === 'dollars' ? 'USD' : 'EUR';
  return { payOutId, amount, currency, reason: 'Asked for it.' };
}

/** Another purpose of a payment: open invoices of the client, or of all clients of the seller, in full or in part, or nothing. */
function reallocation({ random, target, all }: Draw): object {
  const isOfAll = random.oneIn(2);
  // A seller can name an invoice of another one: it is as absent as a missing one.
  const isForeign = random.oneIn(25);
  const invoices = all
    .filter(({ applicationId }) => isForeign || applicationId === target.applicationId)
    .filter((one) => isOfAll || isForeign || one === target)
    .flatMap(({ openInvoices }) => openInvoices)
    .filter(({ currency }) => currency === target.plan.currency && !random.oneIn(4))
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

function creation(random: Seeded, { plans }: Shop, { externalId, usual }: Client): Request {
  const plan = random.oneIn(2) ? usual : random.pick(planNames);
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
function payment(random: Seeded, shop: Shop, target: Subscription): object {
  const earlier = shop.sent.at(-1);
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
    paymentId: `t-${shop.sent.length + 1}`,
  };
  shop.sent.push(body);
  return body;
}
