/**
 * A reference model of the subscriptions of one client: bank transfer, monthly terms, default settings. It
 * shares no code with the service.
 */
const day = 86_400_000;

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
  /** Statuses of the invoices in order of their numbers. */
  invoices: ('open' | 'paid' | 'void' | 'uncollectible')[];
}

export interface Model {
  trialUsed: boolean;
  all: ModelSubscription[];
}

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

function end(
  one: ModelSubscription,
  status: 'cancelled' | 'expired',
  left: 'void' | 'uncollectible' = 'void',
) {
  one.status = status;
  one.invoices = one.invoices.map((invoice) => (invoice === 'open' ? left : invoice));
}

/** Applies everything that time brings about, in order. */
export function pass(model: Model, nowMs: number): void {
  for (const one of model.all) while (passOne(one, nowMs));
}

function passOne(one: ModelSubscription, nowMs: number): boolean {
  const { status, trialEndMs = 0, endMs = 0, createdMs, resumesMs } = one;
  if (status === 'trialing') {
    if (!one.ending && !one.trialReminderSent && nowMs >= trialEndMs - 3 * day) {
      one.trialReminderSent = true;
      one.invoices.push('open');
      return true;
    }
    if (nowMs >= trialEndMs) end(one, one.ending ? 'cancelled' : 'expired');
  } else if (status === 'pending') {
    if (nowMs >= createdMs + 21 * day) end(one, 'expired');
  } else if (status === 'active') {
    if (!one.ending && !one.renewalInvoiced && nowMs >= endMs - 7 * day) {
      one.renewalInvoiced = true;
      one.invoices.push('open');
      return true;
    }
    if (nowMs < endMs) return false;
    if (one.ending) end(one, 'cancelled');
    else one.status = 'past_due';
    return true;
  } else if (status === 'past_due') {
    if (nowMs >= endMs + 21 * day) end(one, 'expired', 'uncollectible');
  } else if (status === 'paused' && resumesMs !== undefined && nowMs >= resumesMs) {
    resume(one, resumesMs);
    return true;
  }
  return false;
}

function resume(one: ModelSubscription, atMs: number): void {
  one.endMs = (one.endMs ?? 0) + atMs - (one.pausedMs ?? atMs);
  one.anchorMs = one.endMs;
  one.terms = 0;
  one.status = 'active';
  delete one.pausedMs;
  delete one.resumesMs;
}

function anotherTerm(one: ModelSubscription, anchorMs: number): void {
  one.anchorMs = anchorMs;
  one.terms += 1;
  one.endMs = monthsFrom(anchorMs, one.terms);
  one.invoices = one.invoices.map((invoice) => (invoice === 'open' ? 'paid' : invoice));
  one.renewalInvoiced = false;
  one.status = 'active';
}

/** @returns the expected HTTP status. */
export function create(model: Model, trialDays: number, nowMs: number): number {
  pass(model, nowMs);
  const running = runningOf(model);
  if (running?.status === 'active' || running?.status === 'paused') return 409;
  const pending = pendingOf(model);
  if (pending) end(pending, 'cancelled');
  const onTrial = trialDays > 0 && !model.trialUsed && running === undefined;
  const base = { id: undefined, createdMs: nowMs, terms: 0 };
  if (onTrial) {
    model.trialUsed = true;
    model.all.push({ ...base, status: 'trialing', trialEndMs: nowMs + trialDays * day, invoices: [] });
  } else model.all.push({ ...base, status: 'pending', invoices: ['open'] });
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
      if (status === 'expired') return 409;
      if (status !== 'cancelled') end(one, 'cancelled');
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
      if (status !== 'active') return 409;
      Object.assign(one, { status: 'paused', pausedMs: nowMs, resumesMs });
      return 200;
    case 'resume':
      if (status !== 'paused') return 409;
      resume(one, nowMs);
      pass(model, nowMs);
      return 200;
  }
}

function activate(model: Model, one: ModelSubscription, nowMs: number): number {
  if (one.status === 'pending') {
    const running = runningOf(model);
    const fromMs = running?.status === 'trialing' ? (running.trialEndMs ?? nowMs) : nowMs;
    if (running) end(running, 'cancelled');
    anotherTerm(one, fromMs);
  } else if (one.status === 'trialing') {
    const pending = pendingOf(model);
    if (pending) end(pending, 'cancelled');
    if (one.invoices.length === 0) one.invoices.push('open');
    anotherTerm(one, one.trialEndMs ?? nowMs);
  } else if (one.status === 'active' || one.status === 'past_due') {
    if (!one.invoices.includes('open')) return 200;
    const pending = pendingOf(model);
    if (pending) end(pending, 'cancelled');
    anotherTerm(one, one.anchorMs ?? nowMs);
  } else return 409;
  pass(model, nowMs);
  return 200;
}

/** The expected level of access. */
export function access(model: Model, nowMs: number): string {
  pass(model, nowMs);
  const running = runningOf(model);
  if (running === undefined || running.status === 'paused') return 'none';
  if (running.status !== 'past_due') return 'full';
  return nowMs < (running.endMs ?? 0) + 7 * day ? 'grace' : 'restricted';
}
