/**
 * A reference model of the subscriptions of one client and of their money: bank transfer, monthly terms of 9.99,
 * default settings. It shares no code with the service.
 */
import {
  closedInvoices,
  creditOf,
  type ModelInvoice,
  type Money,
  newInvoice,
  settle,
} from './model-money.ts';

const day = 86_400_000;
const graceDays = 7;
const reviveDays = 14;

export interface ModelSubscription {
  id: string | undefined;
  status: 'trialing' | 'active' | 'pending' | 'past_due' | 'cancelled' | 'expired' | 'paused';
  createdMs: number;
  trialEndMs?: number;
  trialReminderSent?: boolean;
  /** The day that terms are counted from, and the number of terms since. */
  anchorMs?: number;
  terms: number;
  endMs?: number;
  renewalInvoiced?: boolean;
  ending?: boolean;
  pausedMs?: number;
  resumesMs?: number | undefined;
  /** When it ended without a payment, which money that is a little late can still undo. */
  unpaidMs?: number;
  /** Another subscription took its place. */
  replaced?: true;
  /** In order of their numbers. */
  invoices: ModelInvoice[];
}

export interface Model {
  trialUsed: boolean;
  all: ModelSubscription[];
  money: Money;
}

export const newModel = (): Model => ({
  trialUsed: false,
  all: [],
  money: { creditMinor: 0, cameInMinor: 0, waitingMinor: 0, recorded: [] },
});

export type Action = 'activate' | 'cancel' | 'atPeriodEnd' | 'uncancel' | 'pause' | 'resume';

/** The day n months after a day, clamped to the last day of a shorter month. */
function monthsFrom(fromMs: number, n: number): number {
  const from = new Date(fromMs);
  const year = from.getUTCFullYear();
  const month = from.getUTCMonth() + n;
  const longest = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const time = fromMs % day;
  return Date.UTC(year, month, Math.min(from.getUTCDate(), longest)) + time;
}

const isRunning = ({ status }: ModelSubscription) =>
  ['trialing', 'active', 'past_due', 'paused'].includes(status);
const runningOf = (model: Model) => model.all.find(isRunning);
const pendingOf = (model: Model) => model.all.find(({ status }) => status === 'pending');
const openOf = ({ invoices }: ModelSubscription) => invoices.find(({ status }) => status === 'open');
const dueOf = (one: ModelSubscription) => {
  const open = openOf(one);
  return open === undefined ? undefined : open.totalMinor - open.receivedMinor;
};

function end(
  model: Model,
  one: ModelSubscription,
  status: 'cancelled' | 'expired',
  left: 'void' | 'uncollectible' = 'void',
) {
  one.status = status;
  closedInvoices(model.money, one.invoices, left);
}

/** Another subscription takes the place of one. */
function replace(model: Model, one: ModelSubscription): void {
  end(model, one, 'cancelled');
  one.replaced = true;
}

/** Applies everything that time brings about, in order. */
export function pass(model: Model, nowMs: number): void {
  for (const one of model.all) while (passOne(model, one, nowMs));
}

function passOne(model: Model, one: ModelSubscription, nowMs: number): boolean {
  const { status, trialEndMs = 0, endMs = 0, createdMs, resumesMs } = one;
  if (status === 'trialing') {
    if (!one.ending && !one.trialReminderSent && nowMs >= trialEndMs - 3 * day) {
      one.trialReminderSent = true;
      one.invoices.push(newInvoice(model.money));
      return true;
    }
    if (nowMs < trialEndMs) return false;
    if (!one.ending && dueOf(one) === 0) firstTerm(one, trialEndMs);
    else {
      end(model, one, one.ending ? 'cancelled' : 'expired');
      if (!one.ending) one.unpaidMs = trialEndMs;
    }
  } else if (status === 'pending') {
    if (dueOf(one) === 0) begin(model, one, nowMs);
    else if (nowMs >= createdMs + 21 * day) {
      end(model, one, 'expired');
      one.unpaidMs = createdMs + 21 * day;
    }
  } else if (status === 'active') {
    if (!one.ending && !one.renewalInvoiced && nowMs >= endMs - 7 * day) {
      one.renewalInvoiced = true;
      one.invoices.push(newInvoice(model.money));
      if (dueOf(one) === 0) anotherTerm(one);
      return true;
    }
    if (nowMs < endMs) return false;
    if (one.ending) end(model, one, 'cancelled');
    else one.status = 'past_due';
    return true;
  } else if (status === 'past_due') {
    if (nowMs >= endMs + 21 * day) {
      end(model, one, 'expired', 'uncollectible');
      one.unpaidMs = endMs + 21 * day;
    }
  } else if (status === 'paused' && resumesMs !== undefined && nowMs >= resumesMs) {
    resume(one, resumesMs);
    return true;
  }
  return false;
}

function resume(one: ModelSubscription, atMs: number): void {
  const delayMs = atMs - (one.pausedMs ?? atMs);
  const { anchorMs = 0, endMs = 0, terms } = one;
  one.endMs = endMs + delayMs;
  // The day of the month stays if the shifted anchor still leads to the shifted end.
  if (monthsFrom(anchorMs + delayMs, terms) === one.endMs) one.anchorMs = anchorMs + delayMs;
  else Object.assign(one, { anchorMs: one.endMs, terms: 0 });
  one.status = 'active';
  delete one.pausedMs;
  delete one.resumesMs;
}

/** The first term, from a time on. */
function firstTerm(one: ModelSubscription, fromMs: number): void {
  Object.assign(one, { anchorMs: fromMs, terms: 0, endMs: fromMs });
  anotherTerm(one);
}

/** The open invoice is paid, which grants the next term. A paused subscription stays paused. */
function anotherTerm(one: ModelSubscription): void {
  settle(one.invoices);
  one.terms += 1;
  one.endMs = monthsFrom(one.anchorMs ?? 0, one.terms);
  one.renewalInvoiced = false;
  if (one.status !== 'paused') one.status = 'active';
}

/** @returns the expected HTTP status. */
export function create(model: Model, trialDays: number, nowMs: number): number {
  pass(model, nowMs);
  const running = runningOf(model);
  if (running?.status === 'active' || running?.status === 'paused') return 409;
  const pending = pendingOf(model);
  if (pending) replace(model, pending);
  const onTrial = trialDays > 0 && !model.trialUsed && running === undefined;
  const base = { id: undefined, createdMs: nowMs, terms: 0 };
  if (onTrial) {
    model.trialUsed = true;
    model.all.push({ ...base, status: 'trialing', trialEndMs: nowMs + trialDays * day, invoices: [] });
  } else model.all.push({ ...base, status: 'pending', invoices: [newInvoice(model.money)] });
  pass(model, nowMs);
  return 201;
}

/** @returns the expected HTTP status. */
export function act(
  model: Model,
  one: ModelSubscription,
  action: Action,
  nowMs: number,
  resumesMs?: number,
): number {
  pass(model, nowMs);
  const { status } = one;
  const allowed = (...states: string[]) => states.includes(status);
  switch (action) {
    case 'activate':
      return activate(model, one, nowMs);
    case 'cancel':
      if (status !== 'cancelled') end(model, one, 'cancelled');
      return 200;
    case 'atPeriodEnd':
      if (status === 'cancelled') return 200;
      if (!allowed('trialing', 'active')) return 409;
      one.ending = true;
      return 200;
    case 'uncancel':
      if (!allowed('trialing', 'active') || !one.ending) return 409;
      one.ending = false;
      pass(model, nowMs);
      return 200;
    case 'pause':
      // A cancellation that is scheduled has a date, which a pause would move.
      if (status !== 'active' || one.ending) return 409;
      Object.assign(one, { status: 'paused', pausedMs: nowMs, resumesMs });
      return 200;
    case 'resume':
      if (status !== 'paused') return 409;
      resume(one, nowMs);
      pass(model, nowMs);
      return 200;
  }
}

/** Pays what is open. Without an open invoice it pays nothing, except the first term during a trial. */
function activate(model: Model, one: ModelSubscription, nowMs: number): number {
  if (one.status === 'cancelled' || one.status === 'expired') return 409;
  const due = dueOf(one) ?? (one.status === 'trialing' ? priceOf(model) : undefined);
  if (due === undefined) return one.status === 'paused' ? 409 : 200;
  receive(model, one, due, nowMs);
  pass(model, nowMs);
  return 200;
}

/** What the invoice of a trial will ask for: it uses the credit when it is issued. */
const priceOf = ({ money }: Model) =>
  Math.max(0, newInvoice(structuredClone(money)).totalMinor - money.creditMinor);

/**
 * A transfer for a subscription, on its value date.
 * @returns the expected HTTP status: money is recorded once, whatever it is for.
 */
export function pay(
  model: Model,
  one: ModelSubscription,
  { paymentId, amountMinor }: { paymentId: string; amountMinor: number },
  nowMs: number,
): number {
  pass(model, nowMs);
  if (model.money.recorded.includes(paymentId)) return 200;
  model.money.recorded.push(paymentId);
  receive(model, one, amountMinor, nowMs);
  pass(model, nowMs);
  return 201;
}

/** Whether the model says what money for a subscription does: not when it ended, and something else goes on. */
export function isPredictable(model: Model, one: ModelSubscription, nowMs: number): boolean {
  const after = structuredClone(model);
  pass(after, nowMs);
  const same = after.all[model.all.indexOf(one)];
  const hasEnded = same?.status === 'expired' || same?.status === 'cancelled';
  return !hasEnded || after.all.every((other) => !isRunning(other) && other.status !== 'pending');
}

function receive(model: Model, one: ModelSubscription, amountMinor: number, nowMs: number): void {
  const { money } = model;
  money.cameInMinor += amountMinor;
  if (one.status === 'cancelled' || one.status === 'expired') {
    if (!revive(model, one, amountMinor, nowMs)) keep(model, one, amountMinor);
    return;
  }
  if (one.status === 'trialing' && openOf(one) === undefined) {
    // Too little for the first term: the invoice uses it when it is issued.
    if (amountMinor >= priceOf(model)) one.invoices.push(newInvoice(money));
  }
  const open = openOf(one);
  if (open === undefined) {
    creditOf(money, amountMinor);
    return;
  }
  const part = Math.min(amountMinor, open.totalMinor - open.receivedMinor);
  open.receivedMinor += part;
  creditOf(money, amountMinor - part);
  if (open.receivedMinor < open.totalMinor) return;
  if (one.status === 'pending') begin(model, one, nowMs);
  else {
    const pending = pendingOf(model);
    if (pending) replace(model, pending);
    if (one.status === 'trialing') firstTerm(one, one.trialEndMs ?? nowMs);
    else anotherTerm(one);
  }
}

/** Money for what has ended: a subscription that was cancelled while it ran leaves the decision to the seller. */
function keep({ money }: Model, one: ModelSubscription, amountMinor: number): void {
  if (one.status === 'cancelled' && !one.replaced && one.unpaidMs === undefined)
    money.waitingMinor += amountMinor;
  else creditOf(money, amountMinor);
}

/** A subscription that ended unpaid begins again, if the money is enough and at most two weeks late. */
function revive(model: Model, one: ModelSubscription, amountMinor: number, nowMs: number): boolean {
  const { unpaidMs, endMs, trialEndMs } = one;
  const last = one.invoices.at(-1);
  if (one.status !== 'expired' || unpaidMs === undefined || last === undefined) return false;
  const { creditMinor } = model.money;
  const missing = last.totalMinor - Math.min(creditMinor, last.totalMinor);
  if (nowMs > unpaidMs + reviveDays * day || amountMinor < missing) return false;
  const used = last.totalMinor - missing;
  creditOf(model.money, amountMinor - missing - used);
  Object.assign(last, { status: 'open', receivedMinor: last.totalMinor });
  const isInTime = nowMs <= unpaidMs;
  delete one.unpaidMs;
  one.status = 'active';
  if (endMs === undefined) firstTerm(one, (isInTime ? trialEndMs : undefined) ?? nowMs);
  else if (isInTime) anotherTerm(one);
  else firstTerm(one, nowMs - graceDays * day);
  return true;
}

/** The first payment of a pending subscription, which replaces the one that runs. */
function begin(model: Model, one: ModelSubscription, nowMs: number): void {
  const running = runningOf(model);
  let fromMs = nowMs;
  if (running?.status === 'trialing') fromMs = running.trialEndMs ?? nowMs;
  // The days of grace that were used are part of the new term.
  if (running?.status === 'past_due')
    fromMs = Math.max(Math.min(running.endMs ?? nowMs, nowMs), nowMs - graceDays * day);
  if (running) {
    replace(model, running);
  }
  firstTerm(one, fromMs);
}

/** The expected level of access. */
export function access(model: Model, nowMs: number): string {
  pass(model, nowMs);
  const running = runningOf(model);
  if (running === undefined || running.status === 'paused') return 'none';
  if (running.status !== 'past_due') return 'full';
  return nowMs < (running.endMs ?? 0) + graceDays * day ? 'grace' : 'restricted';
}
