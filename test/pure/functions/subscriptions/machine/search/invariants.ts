/** The promises of every change, judged on the records that it leaves. */
import { dueMinor } from '../../../../../../functions/invoices/due.ts';
import type { Invoice } from '../../../../../../functions/invoices/invoice.ts';
import { creditedMinor, type Posting, postedMinor } from '../../../../../../functions/ledger/entry.ts';
import { dayMs } from '../../../../../../functions/shared/runtime/clock.ts';
import type { Change } from '../../../../../../functions/subscriptions/machine/decide.ts';
import type { TransitionContext } from '../../../../../../functions/subscriptions/machine/event.ts';
import type { namedTransitions } from '../../../../../../functions/subscriptions/machine/transitions.ts';
import { nextStep } from '../../../../../../functions/subscriptions/record/next-step.ts';
import {
  hasEnded,
  type Subscription,
  type UnstartedSubscription,
} from '../../../../../../functions/subscriptions/record/subscription.ts';
import { fieldsOf } from '../changed-fields.ts';
import type { World } from './world.ts';

type Row = ReturnType<typeof namedTransitions>[number];

/** A change, with the worlds on both sides of it. */
export interface Edge {
  readonly before: World;
  readonly context: TransitionContext;
  readonly row: Row;
  /** The rows of steps that the change takes as well. */
  readonly taken: readonly Row[];
  readonly change: Change;
  readonly after: World & { readonly subscription: Subscription };
}

/** The fields that every write may set, in addition to those that its row names. */
const alwaysSet = 'status revision updatedAtMs timer timerVersion eventCount movements heldMails'.split(' ');
const cycleDays = { weekly: [7, 7], monthly: [28, 31] } as const;

/** Each says what is wrong with an edge; undefined for nothing. */
const invariants: Readonly<Record<string, (edge: Edge) => unknown>> = {
  'only declared fields are set': ({ before: { subscription }, change: { next }, row, taken }) => {
    const allowed: readonly string[] = [
      ...alwaysSet,
      ...fieldsOf(row.effect, subscription.status),
      ...taken.flatMap(({ effect, from }) => fieldsOf(effect, from)),
    ];
    const isLeft = (name: string) => next.status !== subscription.status && !(name in next);
    return first(
      changedFields(subscription, next).filter((name) => !allowed.includes(name) && !isLeft(name)),
    );
  },
  'only events of the row are announced, each counted once': ({
    before,
    change: { announced, next },
    row,
    taken,
  }) => {
    const allowed = [row, ...taken].flatMap(({ announces }) => announces);
    const isCounted = next.eventCount === before.subscription.eventCount + announced.length;
    return isCounted ? first(announced.filter((name) => !allowed.includes(name))) : next.eventCount;
  },
  'it is one revision, one version of the timer and one entry of the timeline': ({
    before,
    context,
    change,
    row,
  }) => {
    const { status, revision, timerVersion } = before.subscription;
    const { next, entry } = change;
    const isOne = next.revision === revision + 1 && next.timerVersion === timerVersion + 1;
    const isEntry =
      entry.revision === next.revision && entry.event === context.event && entry.to === next.status;
    const from = status === 'none' ? undefined : status;
    const isDated = next.updatedAtMs === context.nowMs && entry.atMs === context.atMs && entry.from === from;
    const isOfRow = next.status === row.to || row.announces.length > 0;
    return isOne && isEntry && isDated && isOfRow ? undefined : entry;
  },
  'an end leaves no open invoice and no timer, and says when and why': ({ change: { next } }) =>
    hasEnded(next.status) &&
    (next.openInvoices.length > 0 ||
      'timer' in next ||
      next.endedAtMs === undefined ||
      next.endReason === undefined)
      ? next
      : undefined,
  'a term of the same billing cycle is never shortened': ({ before: { subscription }, change: { next } }) =>
    subscription.billingAnchor?.cycle === next.billingAnchor?.cycle &&
    (next.termEndMs ?? 0) < (subscription.termEndMs ?? 0)
      ? next.termEndMs
      : undefined,
  'a running subscription waits for its next step, and no other has a timer': ({ change: { next } }) => {
    const isEndless = next.status === 'paused' && next.resumesAtMs === undefined;
    if ((next.timer === undefined) !== (hasEnded(next.status) || isEndless)) return 'timer';
    return JSON.stringify(next.timer) === JSON.stringify(nextStep(next)) ? undefined : next.timer;
  },
  'times are times, and a step leads on to another': ({
    before: { subscription },
    change: { event, next },
  }) => {
    const { timer, dunning } = subscription;
    if (next.timer === undefined) return undefined;
    if (!Number.isSafeInteger(next.timer.dueAtMs)) return 'never due';
    const isSame = timer?.step === next.timer.step && next.timer.dueAtMs <= timer.dueAtMs;
    // Reminders that waited for a payment under way are due at one time.
    return event === timer?.step && isSame && dunning?.reminders === next.dunning?.reminders
      ? next.timer
      : undefined;
  },
  'each entry of the books adds up to 0': ({ change: { books } }) =>
    first(
      books.filter(({ postings }) => postings.reduce((sum, { amountMinor }) => sum + amountMinor, 0) !== 0),
    ),
  'money that arrives is on invoices or credit, and what leaves comes from there': ({
    before,
    change,
    after,
  }) => {
    const outside: readonly Posting['account'][] = ['bank', 'gateway', 'unallocated'];
    const cameMinor = postedMinor(change.books, 'EUR', ({ account }) => outside.includes(account));
    const invoicesMinor = keptOf(after.invoices) - keptOf(before.invoices);
    const creditMinor = after.creditMinor - before.creditMinor;
    const isCredit = creditMinor === creditedMinor(change.books, 'EUR');
    return isCredit && cameMinor === invoicesMinor + creditMinor
      ? undefined
      : { cameMinor, invoicesMinor, creditMinor };
  },
  'credit is below 0 only after money was taken back': ({ before, context: { event }, after }) => {
    const isTaking = ['part_reversed', 'payment_reversed', 'payment_refunded'].includes(event);
    const isKept = (minorOf: (world: World) => number) => minorOf(after) >= Math.min(0, minorOf(before));
    return isTaking || isKept(({ creditMinor }) => creditMinor) || isKept(ownedBy)
      ? undefined
      : after.creditMinor;
  },
  'the open invoices are those of the subscription, at the same amount': ({
    after: { subscription, invoices },
  }) => {
    const text = (all: readonly { n: number; totalMinor: number; settled?: Invoice['settled'] }[]) =>
      all
        .map((one) => `${one.n} ${dueMinor(one)}`)
        .toSorted()
        .join();
    const kept = text(subscription.openInvoices);
    const issued = text(invoices.filter(({ status }) => status === 'open'));
    return kept === issued ? undefined : { kept, issued };
  },
  'a closed invoice owes nothing and has received nothing too much': ({ after: { invoices } }) =>
    first(invoices.filter((one) => one.status !== 'open' && dueMinor(one) !== 0)),
  'no sum of an invoice is below 0': ({ after: { invoices } }) =>
    first(invoices.filter(({ settled = {} }) => Object.values(settled).some((minor) => minor < 0))),
  'a closed invoice is open again only by a reversal or a revival': ({
    before,
    context: { event },
    after,
  }) => {
    const reopened = before.invoices.filter(({ n, status }) => status !== 'open' && isOpen(after, n));
    return first(
      reopened.filter(({ status }) => event !== (status === 'paid' ? 'payment_reversed' : 'payment_revived')),
    );
  },
  'numbers of invoices and credit notes have no gap': ({ before: { subscription }, change }) => {
    const { next, issued, creditNotes } = change;
    const isNext = (from: number, to: number, ns: readonly number[]) =>
      to === from + ns.length && ns.every((n, i) => n === from + 1 + i);
    const { invoiceCount, creditNoteCount } = subscription;
    return isNext(
      invoiceCount,
      next.invoiceCount,
      issued.map(({ n }) => n),
    ) &&
      isNext(
        creditNoteCount,
        next.creditNoteCount,
        creditNotes.map(({ n }) => n),
      )
      ? undefined
      : next.invoiceCount;
  },
  'each paid invoice of a term to come grants one term, and nothing else grants one': grantedTerms,
};

const first = <T>(all: readonly T[]): T | undefined => all[0];

/** The credit of the client, less what open invoices ask for of it: a debt, and what they gave to it. */
const ownedBy = ({ creditMinor, subscription: { openInvoices } }: World): number =>
  openInvoices.reduce(
    (minor, { settled: { carriedMinor = 0, releasedMinor = 0 } = {} }) =>
      minor - carriedMinor - releasedMinor,
    creditMinor,
  );

const isOpen = ({ subscription }: World, n: number) => subscription.openInvoices.some((one) => one.n === n);

/** The money of payments and of credit that invoices hold. */
const keptOf = (invoices: readonly Invoice[]): number =>
  invoices.reduce((sum, { settled = {} }) => {
    const {
      paidMinor = 0,
      refundedMinor = 0,
      fromCreditMinor = 0,
      releasedMinor = 0,
      carriedMinor = 0,
    } = settled;
    return sum + paidMinor - refundedMinor + fromCreditMinor - releasedMinor - carriedMinor;
  }, 0);

/** The events that move the end of a term without a payment. */
const moving = ['grant_days', 'resume', 'change_plan'];

function grantedTerms({ before, context, change, after }: Edge): unknown {
  const { event } = context;
  const { issued, updated, next } = change;
  const owed = before.subscription.openInvoices.filter(({ planOnPayment }) => planOnPayment !== undefined);
  const isPaid = ({ n }: { n: number }) => after.invoices.find((one) => one.n === n)?.status === 'paid';
  const own = [
    ...owed.filter((one) => updated.some(({ n }) => n === one.n) && isPaid(one)),
    ...issued.filter((one) => one.isGranted === undefined && one.status === 'paid'),
  ];
  if (event === 'payment_revived') return undefined;
  const endMs = before.subscription.termEndMs;
  if (own.length === 0)
    return next.termEndMs === endMs || moving.includes(event) ? undefined : next.termEndMs;
  const cycle = next.plan.billingCycle === 'monthly' ? 'monthly' : 'weekly';
  const [shortest, longest] = cycleDays[cycle];
  const days = ((next.termEndMs ?? 0) - (endMs ?? next.termStartMs ?? 0)) / dayMs;
  // A change of plan moves the end, too.
  if (moving.includes(event)) return undefined;
  const least = own.length === 1 ? shortest : own.length * 7;
  const most = own.length === 1 ? longest : own.length * 31;
  return days >= least && days <= most ? undefined : { days, granted: own.map(({ n }) => n) };
}

/** The names of fields that differ. */
function changedFields(before: Subscription | UnstartedSubscription, after: Subscription): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])] as (keyof Subscription)[];
  return names.filter(
    (name) => before[name] !== after[name] && JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
}

/** The invariants that an edge breaks, each with what is wrong. */
export function faultsOf(edge: Edge): string[] {
  return Object.entries(invariants).flatMap(([name, faultOf]) => {
    const fault = faultOf(edge);
    return fault === undefined ? [] : [`${name}: ${JSON.stringify(fault)}`];
  });
}
