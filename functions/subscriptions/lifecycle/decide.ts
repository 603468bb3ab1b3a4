import { defined } from '../../shared/contract/defined.ts';
import { type Invoice, invoiceNumber, type PlanSnapshot } from '../invoices/invoice.ts';
import { nextStep } from './next-step.ts';
import type { Mail, MailTemplate, OutboxEntry } from './outbox-entry.ts';
import type { BillingPolicy } from './policy.ts';
import { referenceCode } from './reference-number.ts';
import type { Actor, OpenInvoice, Status, Subscription, TimelineEntry } from './subscription.ts';
import { type EffectName, type Event, transitionOf } from './transitions.ts';

/** What is told to a change beside the subscription. */
export interface TransitionContext {
  event: Event;
  by: Actor;
  /** The real time; what ran late counts from `atMs`. */
  nowMs: number;
  /** When it takes effect; now by default. */
  atMs?: number;
  /** To whom mails go; without, none are sent. */
  client: { email: string; name?: string | undefined };
  newInvoiceId: () => string;
  /** Of a payment: the invoices that it pays, by n, and the gateway's name of it. */
  paid?: readonly number[];
  paymentId?: string;
  /** Of a pending one's payment: the trial that it replaces, whose rest is not lost. */
  replacedTrial?: { startMs: number; endMs: number } | undefined;
  /** Of a payment that was taken back. */
  reversed?: OpenInvoice;
  /** Of a payment that bought nothing. */
  unapplied?: { invoice: string; paymentId: string };
  /** Of a renewal: plan and settings as they are now, for the next term. */
  renewal?: {
    plan: PlanSnapshot;
    policy: BillingPolicy;
    gateway: Subscription['gateway'];
    seller: Subscription['seller'];
  };
  resumesAtMs?: number | undefined;
  /** How long after now steps still wait in the execution that took this one, milliseconds; none: a new one is started. */
  horizonMs?: number;
}

/** Fields of an invoice that a change sets. */
export type InvoiceUpdate = { n: number } & Partial<
  Pick<
    Invoice,
    | 'status'
    | 'paidAtMs'
    | 'closedAtMs'
    | 'paymentId'
    | 'reversed'
    | 'dueAtMs'
    | 'periodStartMs'
    | 'periodEndMs'
  >
>;

/** What one event does, decided and not yet written. */
export interface Change {
  event: Event;
  /** Undefined for a new subscription. */
  previous: Subscription | undefined;
  next: Subscription;
  issued: readonly Invoice[];
  updated: readonly InvoiceUpdate[];
  outbox: readonly OutboxEntry[];
  entry: TimelineEntry;
}

/** A change in the making; effects write into it. */
export interface Draft extends Omit<TransitionContext, 'atMs'> {
  readonly atMs: number;
  readonly next: Subscription;
  readonly issued: Invoice[];
  readonly updated: InvoiceUpdate[];
  readonly entries: { id: string; what: EntryContent }[];
}

type EntryContent = ({ kind: 'mail' } & Mail) | { kind: 'close_checkout'; invoiceN: number };
export type Effects = Readonly<Record<EffectName, (draft: Draft) => void>>;

/**
 * What an event does to a subscription.
 *
 * @returns 'holds' when it is so already, undefined when the lifecycle does not allow it.
 */
export function decide(
  seen: Subscription,
  told: TransitionContext,
  effects: Effects,
): Change | 'holds' | undefined {
  const row = transitionOf(told.event, seen, told.paid);
  if (row === undefined || row === 'holds') return row;
  return buildChange(seen, { ...seen, status: row.to }, told, effects[row.effect]);
}

/** The change, if there is one to be written. */
export const appliedChange = (outcome: Change | 'holds' | undefined): Change | undefined =>
  outcome === 'holds' ? undefined : outcome;

/** A new subscription: the change that makes it. */
export function createSubscriptionChange(
  first: Subscription,
  told: TransitionContext,
  effect: (draft: Draft) => void,
): Change {
  return buildChange(undefined, first, told, effect);
}

function buildChange(
  seen: Subscription | undefined,
  start: Subscription,
  told: TransitionContext,
  effect: (draft: Draft) => void,
): Change {
  const atMs = told.atMs ?? told.nowMs;
  const next: Subscription = { ...start, updatedAtMs: told.nowMs, revision: (seen?.revision ?? 0) + 1 };
  const draft: Draft = { ...told, atMs, next, issued: [], updated: [], entries: [] };
  effect(draft);
  scheduleNextStep(next, seen, told);
  return {
    event: told.event,
    previous: seen,
    next,
    issued: draft.issued,
    updated: draft.updated,
    outbox: draft.entries.map((entry) => outboxEntry(draft, entry)),
    entry: timelineEntry(draft, seen?.status),
  };
}

/**
 * Sets what is waited for. An execution that took a step goes on waiting for the next, if that is near; in any other case the
 * version changes: another execution will be in charge, and the former finds itself replaced.
 */
function scheduleNextStep(
  next: Subscription,
  seen: Subscription | undefined,
  { nowMs, horizonMs }: TransitionContext,
): void {
  const timer = nextStep(next);
  const keeps = horizonMs !== undefined && timer !== undefined && timer.dueAtMs <= nowMs + horizonMs;
  next.timerVersion = (seen?.timerVersion ?? 0) + (keeps ? 0 : 1);
  if (timer === undefined) delete next.timer;
  else next.timer = timer;
}

/** Issues the next invoice of the subscription; its number follows the last one's. */
export function issue(
  draft: Draft,
  more: Pick<Invoice, 'plan' | 'dueAtMs'> & Partial<Pick<Invoice, 'periodStartMs' | 'periodEndMs'>>,
): OpenInvoice {
  const { next, client, nowMs } = draft;
  const { applicationId, externalId, subscriptionId, seller, gateway, referenceNumber } = next;
  next.invoiceCount += 1;
  const n = next.invoiceCount;
  const { priceMinor, currency, name } = more.plan;
  const invoice: Invoice = {
    invoiceId: draft.newInvoiceId(),
    applicationId,
    externalId,
    subscriptionId,
    n,
    number: invoiceNumber(referenceCode(referenceNumber), n),
    status: 'open',
    totalMinor: priceMinor,
    currency,
    lines: [{ description: name, quantity: 1, amountMinor: priceMinor }],
    seller,
    customer: { email: client.email, ...defined({ name: client.name }) },
    paymentReference: referenceNumber,
    gateway,
    issuedAtMs: nowMs,
    ...more,
  };
  draft.issued.push(invoice);
  const open: OpenInvoice = {
    n,
    invoiceId: invoice.invoiceId,
    totalMinor: priceMinor,
    currency,
    planOnPayment: more.plan,
    ...(gateway === 'stripe' && { atStripe: true }),
  };
  next.openInvoices = [...next.openInvoices, open];
  return open;
}

/** Changes an invoice, whether it was issued by this change or before. */
export function update(draft: Draft, { n, ...fields }: InvoiceUpdate): void {
  const fresh = draft.issued.find((invoice) => invoice.n === n);
  if (fresh !== undefined) Object.assign(fresh, fields);
  else draft.updated.push({ n, ...fields });
}

/** Puts a mail into the outbox. @param step tells mails of one template apart. */
export function mail(
  draft: Draft,
  template: MailTemplate,
  more: { step?: string | number; invoiceN?: number | undefined; facts?: Partial<Mail['facts']> } = {},
): void {
  const { next, client } = draft;
  const { plan, trialEndMs, termStartMs, termEndMs } = next;
  const facts: Mail['facts'] = {
    seller: next.seller.name,
    referenceNumber: next.referenceNumber,
    planName: plan.name,
    priceMinor: plan.priceMinor,
    currency: plan.currency,
    billingCycle: plan.billingCycle,
    ...defined({ customerName: client.name, trialEndMs, termStartMs, termEndMs }),
    ...more.facts,
  };
  const { step, invoiceN } = more;
  draft.entries.push({
    id: step === undefined ? template : `${template}#${step}`,
    what: { kind: 'mail', template, to: client.email, facts, ...defined({ invoiceN }) },
  });
}

/** Has the gateway's checkouts of invoices closed, where a gateway keeps any. */
export function closeCheckouts(draft: Draft, invoices: readonly OpenInvoice[]): void {
  for (const { n, atStripe } of invoices) {
    if (!atStripe) continue;
    // Closed again after it was opened again: told apart by the write.
    draft.entries.push({
      id: `close_checkout#${n}#${draft.next.revision}`,
      what: { kind: 'close_checkout', invoiceN: n },
    });
  }
}

function outboxEntry(draft: Draft, { id, what }: Draft['entries'][number]): OutboxEntry {
  const { applicationId, externalId, subscriptionId } = draft.next;
  return {
    entryId: id,
    applicationId,
    externalId,
    subscriptionId,
    createdAtMs: draft.nowMs,
    ...what,
    leasedUntilMs: 0,
    attempts: 0,
  };
}

function timelineEntry(draft: Draft, from: Status | undefined): TimelineEntry {
  const { next, event, atMs, by, issued, updated, unapplied } = draft;
  const code = referenceCode(next.referenceNumber);
  const touched = new Set([...issued, ...updated].map(({ n }) => invoiceNumber(code, n)));
  return {
    revision: next.revision,
    event,
    atMs,
    by,
    to: next.status,
    ...defined({ from }),
    ...(touched.size > 0 && { invoices: [...touched] }),
    ...(unapplied && { unapplied }),
  };
}
