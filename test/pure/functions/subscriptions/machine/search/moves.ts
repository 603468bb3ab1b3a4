/** The events that can happen in a state, each in the classes of its context, and the passing of time. */
import { dueMinor } from '../../../../../../functions/invoices/due.ts';
import { uncorrectedMinor } from '../../../../../../functions/invoices/revenue-postings.ts';
import { arriving, movedEntry, waitingEntry } from '../../../../../../functions/payments/settle/movement.ts';
import { dayMs } from '../../../../../../functions/shared/runtime/clock.ts';
import type { EventName } from '../../../../../../functions/subscriptions/machine/event.ts';
import {
  hasEnded,
  type Subscription,
} from '../../../../../../functions/subscriptions/record/subscription.ts';
import { type ContextFields, sampleContext } from '../../../../../support/subscriptions/state-samples.ts';
import { clientOf, type MoneyMove, payments, payOuts, takings, transfers, wonDisputes } from './money.ts';
import { closedOf, instantsOf, type Move, plans, roots, type World, withoutReminders } from './world.ts';

type Started = World & { readonly subscription: Subscription };

export const isStarted = (world: World): world is Started => world.subscription.status !== 'none';

type Group = (world: Started) => readonly MoneyMove[];

/** Events that the search tries together, from these beginnings on. */
export interface Life {
  readonly from: readonly World[];
  readonly groups: readonly Group[];
}

/** Everything that can happen in a state. */
export function movesOf(world: World, { groups }: Life): Move[] {
  if (!isStarted(world)) return starts(world).map((one) => moveOf(world, one));
  const events = groups.flatMap((group) => group(world));
  return [...events.map((one) => moveOf(world, one)), ...steps(world), ...waits(world)];
}

function moveOf(world: World, [name, event, fields]: MoneyMove): Move {
  const { nowMs } = world;
  const context = sampleContext(event, { nowMs, atMs: nowMs, client: clientOf(world), ...fields });
  return { name: name === '' ? event : `${event} (${name})`, act: { context } };
}

const trial = { days: 7, isUsed: false, hasConcurrent: false };
const inArrears = (nowMs: number, days: number) =>
  ({ kind: 'arrears', fromMs: nowMs + days * dayMs, graceDays: 1 }) as const;
const onTrial = (nowMs: number) =>
  ({ kind: 'trial', startMs: nowMs - dayMs, endMs: nowMs + 3 * dayMs }) as const;

function starts({ creditMinor, subscription: { plan }, nowMs }: World): MoneyMove[] {
  const isCoveredByCredit = creditMinor >= plan.priceMinor;
  return [
    ['without a trial', 'start', { isCoveredByCredit }],
    ['with a trial', 'start', { isCoveredByCredit, trial }],
    ['with a trial that was used', 'start', { isCoveredByCredit, trial: { ...trial, isUsed: true } }],
    ['beside another', 'start', { isCoveredByCredit, trial: { ...trial, hasConcurrent: true } }],
    ['in place of a trial', 'start', { isCoveredByCredit, replaced: onTrial(nowMs) }],
    ['in place of arrears', 'start', { isCoveredByCredit, replaced: inArrears(nowMs, -2) }],
  ];
}

/** The payment of a first invoice takes over the access of another subscription. */
function takeOvers(world: Started): MoneyMove[] {
  const { nowMs, subscription } = world;
  if (subscription.status !== 'pending') return [];
  const replacements = [onTrial(nowMs), inArrears(nowMs, -2), inArrears(nowMs, 2)];
  const pays = transfers(world).filter(([, event]) => event === 'payment');
  return pays.flatMap(([, event, fields]) =>
    replacements.map((replaced): MoneyMove => [`replaces ${replaced.kind}`, event, { ...fields, replaced }]),
  );
}

/** Credit notes of all and of a part, of the open invoices and of those that are paid or uncollectible. */
function creditNotes(world: Started): MoneyMove[] {
  const { subscription, invoices } = world;
  const hasBegun = subscription.status !== 'pending' && subscription.status !== 'trialing';
  const open = invoices.filter(({ status }) => status === 'open');
  return [...open, ...closedOf(world)].flatMap((invoice) => {
    const restMinor = uncorrectedMinor(invoice);
    if (invoice.status === 'void' || restMinor <= 0) return [];
    const amounts = [restMinor, 100, dueMinor(invoice)].filter((minor) => minor > 0 && minor <= restMinor);
    return [...new Set(amounts)].flatMap((amountMinor): MoneyMove[] => {
      const buys = invoice.status === 'open' && amountMinor < restMinor && amountMinor >= dueMinor(invoice);
      if (buys && !hasBegun) return [];
      const name = amountMinor === restMinor ? 'all' : `${amountMinor}`;
      return [[`${name} of ${invoice.status}`, 'invoice_credited', { credited: { invoice, amountMinor } }]];
    });
  });
}

const slow = { paymentId: 'pay_slow', amountMinor: 1_000, currency: 'EUR' };

/** The payment of all open invoices, asked for once more. */
const paidAgain: Group = ({ subscription: { status, openInvoices } }) =>
  status === 'trialing' || openInvoices.length > 0
    ? []
    : [['again', 'payment', { payment: slow, booked: [], paid: [], isActivation: true }]];

/** A payment under way, one at a time. */
function processing({ subscription, nowMs }: Started): MoneyMove[] {
  if (subscription.processing.length > 0) return [['', 'payment_failed', { payment: slow }]];
  return [['', 'payment_processing', { payment: slow, processingUntilMs: nowMs + 5 * dayMs }]];
}

const asCredit = movedEntry({ kind: 'allocation', from: 'unallocated' }, slow, {
  parts: [],
  overpaymentMinor: slow.amountMinor,
});
const returning = { kind: 'allocation', from: 'bank' } as const;

const unapplied: Group = () => {
  const booked = [waitingEntry(arriving('bank'), slow, slow.amountMinor)];
  return [['', 'payment_unapplied', { payment: slow, booked, unapplied: { paymentId: slow.paymentId } }]];
};

/** A payment that waits for the seller or goes back to the payer, and one that fails. */
const waiting: Group = (world) => {
  const { creditMinor } = world;
  return [
    ...unapplied(world),
    ...(creditMinor > 0
      ? []
      : [['decided', 'payment_credited', { payment: slow, booked: [asCredit] }] as const]),
    [
      'waiting',
      'payment_returned',
      { payment: slow, booked: [waitingEntry(returning, slow, -slow.amountMinor)] },
    ],
    ['', 'payment_failed', { payment: slow }],
  ];
};

const pauses: Group = () => [
  ['', 'resume', {}],
  ['without an end', 'pause', { resumesAtMs: undefined }],
];

const wholeTransfers: Group = (world) => transfers(world).slice(-1);

/** A credit note of all of an invoice that was paid. */
const wholeCreditNotes: Group = (world) => creditNotes(world).filter(([name]) => name === 'all of paid');

const cancel: Group = () => [['', 'cancel', {}]];

/** Events that end a subscription, now or later. */
const ends: Group = () => [
  ['', 'cancel', {}],
  ['', 'cancel_at_period_end', {}],
  ['', 'uncancel', {}],
  ['', 'supersede', {}],
  ['', 'replace', {}],
];

/** Pauses, and ends that move. */
function dates({ subscription, nowMs }: Started): MoneyMove[] {
  const { trialEndMs = 0, termEndMs = 0 } = subscription;
  const moved = (event: EventName, endMs: number, days: readonly number[]): MoneyMove[] =>
    days
      .map((day) => endMs + day * dayMs)
      .filter((untilMs) => untilMs < nowMs + 11 * dayMs)
      .map((untilMs) => [`${(untilMs - endMs) / dayMs} days`, event, { untilMs }]);
  return [
    ['for a day', 'pause', { resumesAtMs: nowMs + dayMs }],
    ['on', 'set_auto_renew', { autoRenew: true }],
    ['off', 'set_auto_renew', { autoRenew: false }],
    ...moved('extend_trial', trialEndMs, [-1, 0, 2]),
    ...moved('grant_days', termEndMs, [-1, 0, 2, 5]),
  ];
}

function changesOfPlan({ subscription, invoices }: Started): MoneyMove[] {
  if (hasEnded(subscription.status)) return [];
  const { plan, plannedChange = plan, policy, gateway, seller } = subscription;
  const renewal = { plan: plannedChange, policy, gateway, seller };
  const change = (to: (typeof plans)[keyof typeof plans], proration: 'credit' | 'none') => ({
    planChange: { plan: to, proration, invoices },
    renewal: { ...renewal, plan: to },
  });
  const others = Object.values(plans).filter(({ planId }) => planId !== plan.planId);
  return [
    ...others.map((to): MoneyMove => [to.name, 'change_plan', change(to, 'credit')]),
    ['Dearer later', 'change_plan', change(plans.dearer, 'none')],
    ...others.slice(0, 1).map((to): MoneyMove => [to.name, 'schedule_plan_change', change(to, 'none')]),
    ['', 'undo_plan_change', { renewal: { ...renewal, plan } }],
  ];
}

/** The next step on time, and so late that others are due by then. */
function steps(world: Started): Move[] {
  const { timer, plan, plannedChange = plan, policy, gateway, seller } = world.subscription;
  if (timer === undefined) return [];
  const { step, dueAtMs: atMs } = timer;
  const renewal = { plan: plannedChange, policy, gateway, seller };
  const stepAt = (name: string, nowMs: number): Move => {
    const fields: ContextFields = { nowMs, atMs, by: 'timer', renewal };
    return moveOf(world, [name, step, fields]);
  };
  const onTimeMs = Math.max(atMs, world.nowMs);
  return [stepAt('', onTimeMs), stepAt('late', onTimeMs + 9 * dayMs)];
}

/** Time passes to the next instant that counts, or to between, while no step is due. */
function waits(world: Started): Move[] {
  const { nowMs, subscription } = world;
  const instants = Object.values(instantsOf(world)).toSorted((a, b) => a - b);
  const [nextMs] = instants.filter((atMs) => atMs > nowMs);
  const dueMs = subscription.timer?.dueAtMs ?? Number.POSITIVE_INFINITY;
  if (nextMs === undefined || dueMs <= nowMs) return [];
  const isAtInstant = instants.includes(nowMs);
  const untilMs = isAtInstant || nextMs === dueMs ? Math.floor((nowMs + nextMs) / 2) : nextMs;
  return [{ name: 'wait', act: { untilMs } }];
}

export const lives: Readonly<Record<string, Life>> = {
  terms: {
    from: roots,
    groups: [transfers, paidAgain, takeOvers, processing, ends, pauses, dates],
  },
  'changes of plan': { from: roots.slice(0, 1), groups: [wholeTransfers, changesOfPlan, cancel] },
  'money that comes and goes': {
    from: [withoutReminders],
    groups: [payments, takings, payOuts, creditNotes, waiting, cancel],
  },
  'money in a pause': {
    from: [withoutReminders],
    groups: [transfers, wonDisputes, takings, payOuts, wholeCreditNotes, unapplied, pauses],
  },
};
