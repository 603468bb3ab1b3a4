import type { CreditNote } from '../../invoices/credit-note.ts';
import { type Invoice, invoiceNumber } from '../../invoices/invoice.ts';
import { creditAfter, type Entry } from '../../ledger/entry.ts';
import { defined } from '../../shared/contract/defined.ts';
import type { EventOf } from '../../shared/contract/event-types.ts';
import { nextStep } from '../record/next-step.ts';
import type { OutboxEntry } from '../record/outbox-entry.ts';
import { isSamePlan, planAt } from '../record/paid-terms.ts';
import type { PlanChange } from '../record/plan-change.ts';
import { movementsAfter } from '../record/recurring-revenue.ts';
import { referenceCode } from '../record/reference-number.ts';
import {
  inState,
  type Status,
  type Step,
  type Subscription,
  type SubscriptionFields,
  type UnstartedSubscription,
} from '../record/subscription.ts';
import type { TimelineEntry } from '../record/timeline-entry.ts';
import { type Draft, type DraftOf, type InvoiceUpdate, outboxEntry } from './draft.ts';
import { type EventName, type RenewalTerms, stepEvent, type TransitionContext } from './event.ts';
import { eventsOfIssued } from './invoice-changes.ts';
import { mergeMails } from './merged-mails.ts';
import { type NoTransition, statesBefore, type Transition, transitionOf } from './transitions.ts';

/** All effects of one event on a subscription: decided, not yet written. */
export interface Change {
  event: EventName;
  /** The states that the event is allowed in: a condition of the write. */
  statesBefore: readonly Status[];
  previous: Subscription | undefined;
  next: Subscription;
  issued: readonly Invoice[];
  updated: readonly InvoiceUpdate[];
  /** The documents of cancelled invoices are added when it is written. */
  creditNotes: CreditNote[];
  books: readonly Entry[];
  outbox: readonly OutboxEntry[];
  /** The ids of entries that are not sent any more. The write is refused when one is already being delivered. */
  recalled: readonly string[];
  entry: TimelineEntry;
  /** The events of the subscription, in order. The last event has the sequence `next.eventCount`. */
  announced: readonly EventOf<'subscription'>[];
}

export type Decision = { readonly kind: 'changed'; readonly change: Change } | NoTransition;

/** The result of an event. `conflict`: a concurrent write came first, so nothing was written. Decide again. */
export type Outcome = Decision | { readonly kind: 'conflict' };

/** A change of plan that was asked for, decided for a time. `unchanged`: the subscription has the plan already. */
export type DecidedPlanChange = { readonly atMs: number } & (
  | { readonly kind: 'changed'; readonly planChange: PlanChange; readonly change: Change }
  | { readonly kind: 'unchanged'; readonly subscription: Subscription }
);

/** Decides what an event does to a subscription. It reads and writes nothing. */
export function decide<E extends EventName>(
  subscription: Subscription | UnstartedSubscription,
  context: TransitionContext<E>,
): Decision {
  const result = transitionOf(subscription, context);
  if (result.kind !== 'changed') return result;
  return { kind: 'changed', change: buildChange(subscription, result.transition, context) };
}

export function appliedChange(outcome: Outcome): Change | undefined {
  // Stryker disable next-line ConditionalExpression: no other outcome has a change.
  return outcome.kind === 'changed' ? outcome.change : undefined;
}

function buildChange<E extends EventName>(
  subscription: Subscription | UnstartedSubscription,
  { to, effect, announces = [], alsoTakes = [] }: Transition<E>,
  context: TransitionContext<E>,
): Change {
  const { nowMs, atMs } = context;
  const event: E = context.event;
  const previous = subscription.status === 'none' ? undefined : subscription;
  // Stryker disable next-line OptionalChaining: every row of `start` has a state.
  const status = to ?? previous?.status;
  // Stryker disable next-line ConditionalExpression,StringLiteral: as above.
  if (status === undefined) throw new Error(`The row of ${event} leads to no state`);
  const revision = subscription.revision + 1;
  const draft: DraftOf<E> = {
    ...context,
    before: subscription,
    next: { ...subscription, status, updatedAtMs: nowMs, revision },
    issued: [],
    updated: [],
    entries: [],
    recalled: [],
    creditNotes: [],
    books: [],
  };
  effect(draft);
  const isOwn = (name: EventOf<'subscription'>) => isAnnounced(name, event, subscription, draft.next);
  const announced = [...announces.filter(isOwn), ...takeStep(draft, alsoTakes)];
  draft.next.movements = movementsAfter(subscription.movements, draft.next, atMs);
  scheduleNextStep(draft.next);
  mergeMails(draft);
  draft.next.eventCount += announced.length;
  const next = inState(draft.next);
  for (const invoice of draft.issued) {
    invoice.eventCount = eventsOfIssued(invoice).length;
    if (invoice.settled !== undefined) invoice.settledAtIssue = invoice.settled;
  }
  return {
    event,
    statesBefore: statesBefore(event),
    previous,
    next,
    issued: draft.issued,
    updated: draft.updated,
    creditNotes: draft.creditNotes,
    books: draft.books,
    recalled: draft.recalled,
    outbox: draft.entries.map((entry, position) => outboxEntry(next, entry, { nowMs, position })),
    entry: timelineEntry(draft, event, previous),
    announced,
  };
}

/** Takes the next step as a part of the change, if it is due and one of these. @returns the events of the step. */
function takeStep(
  draft: Draft & { readonly renewal?: RenewalTerms | undefined },
  steps: readonly Step[],
): EventOf<'subscription'>[] {
  const { next, atMs, client, books, renewal } = draft;
  const before = inState(next);
  const timer = nextStep(before);
  if (timer === undefined || timer.dueAtMs > atMs || !steps.includes(timer.step)) return [];
  const event = stepEvent(timer.step, renewal);
  const credit = creditAfter(client.credit ?? {}, books);
  const found = transitionOf<Step>(before, { ...draft, ...event, client: { ...client, credit } });
  if (found.kind !== 'changed') return [];
  const { to = before.status, effect, announces = [] } = found.transition;
  next.status = to;
  effect({ ...draft, ...event, before });
  return announces.filter((name) => isAnnounced(name, event.event, before, next));
}

/** Whether a change announces an event of its row. Some depend on the dates and the plan. */
function isAnnounced(
  name: EventOf<'subscription'>,
  event: EventName,
  previous: Subscription | UnstartedSubscription,
  next: SubscriptionFields,
): boolean {
  if (event === 'change_plan') return true;
  // A further term was granted, and not only a payment that was reversed before.
  if (name === 'renewed') return previous.termEndMs !== next.termEndMs;
  if (name !== 'plan_changed') return true;
  // By the dates: a plan that was paid early changes with its term.
  return !isSamePlan(planAt(previous, previous.updatedAtMs), planAt(next, next.updatedAtMs));
}

/** Sets the timer. Each change puts another execution in charge: it waits for one step. */
function scheduleNextStep(next: SubscriptionFields): void {
  const timer = nextStep(inState(next));
  next.timerVersion += 1;
  if (timer === undefined) delete next.timer;
  else next.timer = timer;
}

/** The subjects of events that the timeline names. */
type TimelineSubjects = Pick<TimelineEntry, 'payment' | 'paidOut' | 'unapplied'> & {
  reason?: string | undefined;
};

function timelineEntry(
  draft: Draft & Readonly<TimelineSubjects>,
  event: EventName,
  previous: Subscription | undefined,
): TimelineEntry {
  const { next, atMs, by, issued, updated, payment, paidOut, unapplied, reason } = draft;
  const code = referenceCode(next.referenceNumber);
  const numbers = new Set([...issued, ...updated].map(({ n }) => invoiceNumber(code, n)));
  return {
    revision: next.revision,
    event,
    atMs,
    by,
    to: next.status,
    ...defined({
      from: previous?.status,
      invoices: numbers.size > 0 ? [...numbers] : undefined,
      payment,
      paidOut,
      reason,
      unapplied,
    }),
  };
}
