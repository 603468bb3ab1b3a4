import type { Invoice, PlanSnapshot, Seller } from '../../invoices/invoice.ts';
import type { TaxSettings } from '../../invoices/tax.ts';
import type { Settled } from '../../ledger/settled.ts';
import type { Movement } from './movement.ts';
import type { HeldMail } from './outbox-entry.ts';
import type { BillingPolicy } from './policy.ts';
import type { Anchor } from './term.ts';

export const statuses = [
  'trialing',
  'active',
  'pending',
  'past_due',
  'cancelled',
  'expired',
  'paused',
] as const;
export type Status = (typeof statuses)[number];

/** A client has at most one subscription in one of these. */
export const runningStatuses: readonly Status[] = ['trialing', 'active', 'past_due', 'paused'];

/** Whether a subscription in this state is over. A late payment can revive one that expired. */
export const hasEnded = (status: Status): boolean => status === 'cancelled' || status === 'expired';

/** A step that becomes due at a time. The stage of the state machine that waits for it has the same name. */
export type Step =
  | 'trial_reminder'
  | 'trial_end'
  | 'payment_reminder'
  | 'payment_lapse'
  | 'renewal_invoice'
  | 'term_end'
  | 'dunning_reminder'
  | 'dunning_end'
  | 'planned_change'
  | 'invoice_due'
  | 'resume';

/** A series of numbers of the seller, over all subscriptions. The numbers of invoices and of credit notes start with their prefix. */
interface NumberSeries {
  invoicePrefix: string;
  creditNotePrefix: string;
}

interface PartOfPayment {
  readonly paymentId: string;
  readonly amountMinor: number;
}

export interface OpenInvoice {
  n: number;
  invoiceId: string;
  totalMinor: number;
  /** The settled amounts, by kind. Absent while nothing is settled. */
  settled?: Settled;
  /** The payments of which it has received a part, so that they are credit again when it becomes void. Absent without any. */
  parts?: readonly PartOfPayment[];
  currency: string;
  /** Whether Stripe may have a checkout for it, which has to be closed together with the invoice. */
  atStripe?: boolean;
  /** A mail named the invoice of a checkout: its end has to be told. */
  isMailed?: true;
  /** The plan of the term that its payment grants; undefined for one granted before: after a reversal, and for a change of plan. */
  planOnPayment?: PlanSnapshot;
  /** After a reversal: since when the invoice is owed again. */
  owedFromMs?: number;
  /** For a term that was granted before the payment, by a change of plan: when it is overdue. */
  dueAtMs?: number;
}

/** A payment that is under way. The ends of a pending subscription, of a trial and of dunning wait for it. */
interface ProcessingPayment {
  /** `pay_...` */
  paymentId: string;
  /** The end of the wait, epoch milliseconds. */
  untilMs: number;
}

/** A term that is paid or granted. Times in epoch milliseconds, half open. */
export interface PaidTerm {
  fromMs: number;
  untilMs: number;
  /** How long it was paused. Pauses lengthen it, and are not worth anything. Absent for 0. */
  pausedMs?: number;
  /** The price of all of it, in minor units: the value of its rest is a share of it. */
  priceMinor: number;
  /** The plan in it, where it is another one than the plan of the subscription. */
  plan?: PlanSnapshot;
}

export interface Charge {
  n: number;
  /** Until when the invoice pays for terms, epoch milliseconds. */
  untilMs: number;
  amountMinor: number;
}

/** The fields of a subscription in every state. Times in epoch milliseconds. */
interface CommonFields {
  subscriptionId: string;
  applicationId: string;
  externalId: string;
  /** `SUB-` and eight characters; the last is a check character. */
  referenceNumber: string;
  plan: PlanSnapshot;
  policy: BillingPolicy;
  /**
   * The application as named on invoices and in mails, how it taxes, and its own series of numbers if it has one. Copied
   * with the policy.
   */
  seller: Seller & { tax?: TaxSettings; series?: NumberSeries };
  gateway: Invoice['gateway'];
  /** Where the payment page returns the subscriber to. */
  successUrl?: string;
  cancelUrl?: string;
  /** The URL at which the application reached the API when it created the subscription. Links in mails start with it. */
  baseUrl: string;
  autoRenew: boolean;
  cancelAtPeriodEnd: boolean;
  /** Access starts here, except for the remainder of a replaced trial. */
  startAtMs: number;
  /** The remainder of the trial that this subscription replaced. */
  trialRemainder?: { fromMs: number; untilMs: number };
  /** The terms that are paid or granted and not over, oldest first: the present one, and one that was paid early. */
  paidTerms: readonly PaidTerm[];
  /** The charges of invoices for these terms, oldest first, less what credit notes credited. */
  charges: readonly Charge[];
  plannedChange?: PlanSnapshot;
  /** The number of invoices issued, which is the number of the latest. */
  invoiceCount: number;
  /** The number of credit notes issued, which is the number of the latest. */
  creditNoteCount: number;
  openInvoices: readonly OpenInvoice[];
  processing: readonly ProcessingPayment[];
  /** The last payment of all open invoices without an amount, so that a repeat of the request pays nothing else. */
  lastActivation?: LastActivation;
  movements: readonly Movement[];
  /** Mails that wait for the steps that are due, to be one mail with theirs. */
  heldMails: readonly HeldMail[];
  createdAtMs: number;
  updatedAtMs: number;
  revision: number;
  /** The number of events `subscription.*`, which is the `sequence` of the latest. */
  eventCount: number;
  timer?: Timer;
  /** Identifies the execution in charge of the timer. Executions of other versions have no effect. */
  timerVersion: number;
}

/** The fields that only some states have: {@link states} says which. */
interface StateFields {
  trialStartMs: number;
  trialEndMs: number;
  trialReminderSent: boolean;
  paymentDeadlineMs: number;
  /** Whether the reminder on the due date of the first invoice was sent, or skipped. */
  paymentReminderSent: boolean;
  /** The paid term: `termEndMs` is the end of term `termIndex`, counted from the anchor. */
  billingAnchor: Anchor;
  termIndex: number;
  termStartMs: number;
  termEndMs: number;
  renewalInvoiced: boolean;
  /** Since when it is past due, and how many reminder steps have run. */
  dunning: { fromMs: number; reminders: number };
  pausedAtMs: number;
  resumesAtMs: number;
  endedAtMs: number;
  endReason: EndReason;
  /** The uncollectible invoices whose terms were granted, by `n`: the client owes them still. */
  debts: readonly number[];
}

const trial = ['trialStartMs', 'trialEndMs'] as const;
const term = ['billingAnchor', 'termIndex', 'termStartMs', 'termEndMs', 'renewalInvoiced'] as const;
const end = ['endedAtMs', 'endReason', 'debts'] as const;

/** The fields of each state, `none` before its `start`: all of `has`, and all or none of each group of `mayHave`. */
const states = {
  none: { has: [], mayHave: [] },
  trialing: { has: [...trial, 'trialReminderSent'], mayHave: [] },
  pending: { has: ['paymentDeadlineMs', 'paymentReminderSent'], mayHave: [] },
  active: { has: term, mayHave: [trial] },
  past_due: { has: [...term, 'dunning'], mayHave: [trial] },
  paused: { has: [...term, 'pausedAtMs'], mayHave: [trial, ['resumesAtMs']] },
  cancelled: { has: end, mayHave: [trial, term] },
  expired: { has: end, mayHave: [trial, term] },
} as const satisfies Record<Status | 'none', StateOf>;

interface StateOf {
  readonly has: readonly (keyof StateFields)[];
  readonly mayHave: readonly (readonly (keyof StateFields)[])[];
}

type Has<S extends keyof typeof states> = (typeof states)[S]['has'][number];
type MayHave<S extends keyof typeof states> = (typeof states)[S]['mayHave'][number][number];
type Without<F extends PropertyKey> = { [K in F]?: never };
type AllOrNone<Groups> = Groups extends readonly [
  infer Group extends readonly (keyof StateFields)[],
  ...infer Rest,
]
  ? (Pick<StateFields, Group[number]> | Without<Group[number]>) & AllOrNone<Rest>
  : unknown;

/** A subscription in one of these states: with the fields of the state, and no others. */
export type SubscriptionIn<S extends Status | 'none'> = S extends unknown
  ? CommonFields & { status: S } & Pick<StateFields, Has<S>> &
      AllOrNone<(typeof states)[S]['mayHave']> &
      Without<Exclude<keyof StateFields, Has<S> | MayHave<S>>>
  : never;

/** A subscription as stored: a union by status. */
export type Subscription = SubscriptionIn<Status>;

/** A subscription that is over. A late payment can revive one that expired. */
export type EndedSubscription = SubscriptionIn<'cancelled' | 'expired'>;

/** The states in which a term goes on. */
export type TermStatus = 'active' | 'past_due' | 'paused';

/** A subscription before its `start`: it has no status yet, and is not stored. */
export type UnstartedSubscription = SubscriptionIn<'none'>;

/** A subscription with the fields of any state: how functions see it that change its state. */
export type SubscriptionFields = CommonFields & { status: Status } & Partial<StateFields>;

const stateFields = [
  ...new Set(Object.values(states).flatMap(({ has, mayHave }: StateOf) => [has, ...mayHave].flat())),
];

export const emptyLists = {
  paidTerms: [],
  charges: [],
  openInvoices: [],
  processing: [],
  movements: [],
  heldMails: [],
} as const satisfies Partial<CommonFields>;

/**
 * The subscription with the fields of its state, without those of a state that it has left.
 *
 * @throws Error when it lacks a field of its state.
 */
export function inState(fields: SubscriptionFields): Subscription {
  const { has, mayHave }: StateOf = states[fields.status];
  const own = [has, ...mayHave].flat();
  const subscription = { ...fields };
  for (const name of stateFields) if (!own.includes(name)) delete subscription[name];
  if (isWhole(subscription)) return subscription;
  throw new Error(`The subscription ${fields.subscriptionId} lacks fields of the state ${fields.status}`);
}

/** Whether it has the fields of its state, and all or none of each group that it may have. */
function isWhole(fields: SubscriptionFields): fields is Subscription {
  const { has, mayHave }: StateOf = states[fields.status];
  const isThere = (name: keyof StateFields) => fields[name] !== undefined;
  return has.every(isThere) && mayHave.every((group) => group.every(isThere) || !group.some(isThere));
}

/** An `activate` without an amount: the number of invoices that were issued then, and what it answered. */
interface LastActivation {
  atMs: number;
  n: number;
  status: Status;
  termEndMs?: number;
}

export type EndReason =
  | 'cancelled'
  | 'period_over'
  | 'superseded'
  | 'replaced'
  | 'trial_over'
  | 'unpaid'
  | 'not_renewed';

export interface Timer {
  step: Step;
  dueAtMs: number;
}
