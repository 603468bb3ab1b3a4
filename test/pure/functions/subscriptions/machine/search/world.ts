/** One moment of the search, and when two moments are the same to it. */
import { dueMinor } from '../../../../../../functions/invoices/due.ts';
import type { Invoice, PlanSnapshot } from '../../../../../../functions/invoices/invoice.ts';
import { uncorrectedMinor } from '../../../../../../functions/invoices/revenue-postings.ts';
import { keptMinor } from '../../../../../../functions/ledger/settled.ts';
import { dayMs } from '../../../../../../functions/shared/runtime/clock.ts';
import type { TransitionContext } from '../../../../../../functions/subscriptions/machine/event.ts';
import { termsAt } from '../../../../../../functions/subscriptions/record/paid-terms.ts';
import { billingPolicy } from '../../../../../../functions/subscriptions/record/policy.ts';
import { revivableUntilMs } from '../../../../../../functions/subscriptions/record/revival.ts';
import type {
  Subscription,
  SubscriptionFields,
  UnstartedSubscription,
} from '../../../../../../functions/subscriptions/record/subscription.ts';
import { soldPlan } from '../../../../../support/subscriptions/sold.ts';
import { sampleNowMs, unstartedSample } from '../../../../../support/subscriptions/state-samples.ts';

export interface World {
  readonly subscription: Subscription | UnstartedSubscription;
  /** All that were issued, latest first. */
  readonly invoices: readonly Invoice[];
  readonly creditMinor: number;
  readonly nowMs: number;
}

/** An event that can happen, with its class, or time that passes without one. */
export interface Move {
  readonly name: string;
  readonly act: { readonly context: TransitionContext } | { readonly untilMs: number };
}

const weekly = { ...soldPlan, priceMinor: 1_000, billingCycle: 'weekly' } as const;
/** The plan of most lives, and others: dearer, cheaper, of another cycle, and free. */
export const plans = {
  usual: { ...weekly, planId: 'pln_usual', name: 'Usual' },
  dearer: { ...weekly, planId: 'pln_dearer', name: 'Dearer', priceMinor: 2_000 },
  longer: { ...weekly, planId: 'pln_longer', name: 'Longer', priceMinor: 3_000, billingCycle: 'monthly' },
  free: { ...weekly, planId: 'pln_free', name: 'Free', priceMinor: 0 },
} as const satisfies Record<string, PlanSnapshot>;

const policy = billingPolicy({
  dunning: { reminderDays: [1], endsAfterDays: 3, graceDays: 1 },
  trial: { reminderDays: 2 },
  invoices: { renewalDays: 2, dueDays: 3 },
  payments: { reviveDays: 3 },
});

const root = (fields: Partial<UnstartedSubscription>, creditMinor = 0): World => ({
  subscription: unstartedSample({ plan: plans.usual, policy, ...fields }),
  invoices: [],
  creditMinor,
  nowMs: sampleNowMs,
});

/** A life before its start that has no reminders, so that it has fewer states: their rows are taken in the others. */
export const withoutReminders = root({
  policy: Object.assign({}, policy, { reminderDays: [] }),
});

/** Lives before their start. */
export const roots: readonly World[] = [
  root({}),
  root({ gateway: 'stripe' }),
  root({}, 1_000),
  root({ plan: plans.free }),
  root({ startAtMs: sampleNowMs + dayMs }),
];

/** An invoice with money or a claim that later events can be about. */
const isLive = (invoice: Invoice): boolean =>
  invoice.status !== 'open' && (keptMinor(invoice.settled) > 0 || invoice.status !== 'void');

/** The closed invoices that the search still acts on: the latest two. */
export const closedOf = ({ invoices }: World): readonly Invoice[] => invoices.filter(isLive).slice(0, 1);

/** The times that a decision can depend on. */
export function instantsOf({ subscription, nowMs }: World): Record<string, number> {
  const fields: SubscriptionFields | UnstartedSubscription = subscription;
  const { startAtMs, trialEndMs, termStartMs, termEndMs, dunning, pausedAtMs, resumesAtMs } = fields;
  const { paymentDeadlineMs, timer, openInvoices, processing, endedAtMs, trialRemainder } = fields;
  const revivable = subscription.status === 'none' ? undefined : revivableUntilMs(subscription);
  const all = {
    start: startAtMs,
    trialEnd: trialEndMs,
    termStart: termStartMs,
    termEnd: termEndMs,
    dunning: dunning?.fromMs,
    paused: pausedAtMs,
    resumes: resumesAtMs,
    deadline: paymentDeadlineMs,
    due: openInvoices.find(({ dueAtMs }) => dueAtMs !== undefined)?.dueAtMs,
    owed: openInvoices.find(({ owedFromMs }) => owedFromMs !== undefined)?.owedFromMs,
    waits: processing[0]?.untilMs,
    ended: endedAtMs,
    revivable,
    remainder: trialRemainder?.untilMs,
    planned: termsAt(fields, nowMs)[1]?.fromMs,
    timer: timer?.dueAtMs,
  };
  const known: Record<string, number> = {};
  for (const [name, atMs] of Object.entries(all)) if (atMs !== undefined) known[name] = atMs;
  return known;
}

/** Whether each of these times is over, now, or to come. */
const decisive = ['termEnd', 'timer', 'waits', 'revivable', 'planned'];
function clockClass(world: World): string {
  const instants = Object.entries(instantsOf(world)).filter(([name]) => decisive.includes(name));
  return instants.map(([name, atMs]) => `${name}${Math.sign(atMs - world.nowMs)}`).join();
}

function amountClass(minor: number, wholeMinor: number): string {
  if (minor <= 0) return minor < 0 ? 'below' : 'none';
  return minor < wholeMinor ? 'part' : 'whole';
}

/** Two worlds with the same key are one state of the search. */
export function keyOf(world: World): string {
  const { subscription, creditMinor, nowMs } = world;
  const fields: SubscriptionFields | UnstartedSubscription = subscription;
  const { status, plan, plannedChange, gateway, autoRenew, cancelAtPeriodEnd, timer, endReason } = fields;
  const { renewalInvoiced, trialReminderSent, paymentReminderSent, dunning, debts = [] } = fields;
  const open = fields.openInvoices.map((one) =>
    [
      one.planOnPayment !== undefined,
      one.dueAtMs !== undefined,
      amountClass(dueMinor(one), one.totalMinor),
      one.parts !== undefined,
    ].join(),
  );
  const closed = closedOf(world).map((invoice) =>
    [
      invoice.status,
      amountClass(keptMinor(invoice.settled), invoice.totalMinor),
      amountClass(uncorrectedMinor(invoice), invoice.totalMinor),
      debts.includes(invoice.n),
    ].join(),
  );
  const money = [`[${open.join('; ')}]`, `[${closed.join('; ')}]`, Math.sign(creditMinor), clockClass(world)];
  if (status === 'cancelled' || status === 'expired') return [status, endReason, ...money].join(' ');
  const flags = [autoRenew, cancelAtPeriodEnd, renewalInvoiced, trialReminderSent, paymentReminderSent];
  return [
    status,
    plan.priceMinor === 0 ? 'free' : plan.billingCycle,
    plannedChange === undefined,
    status === 'pending' && gateway,
    flags.map(Number).join(''),
    dunning?.reminders,
    timer?.step,
    termsAt(fields, nowMs).length,
    ...money,
  ].join(' ');
}
