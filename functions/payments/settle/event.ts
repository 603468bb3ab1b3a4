import type { Payment } from '../../ledger/payment.ts';
import { paymentStore } from '../../ledger/payment-store.ts';
import {
  type ClientSubscriptionsChange,
  withCredits,
} from '../../subscriptions/commands/client-subscriptions-store.ts';
import { commandDeps, writeWithFollowUps } from '../../subscriptions/commands/execute-command.ts';
import { runDueSteps } from '../../subscriptions/commands/run-due-steps.ts';
import { readTogether, subscriptionQueries } from '../../subscriptions/commands/subscription-queries.ts';
import type { MoreWrites, SubscriptionWithClient } from '../../subscriptions/commands/subscription-store.ts';
import { type Change, decide, type Outcome } from '../../subscriptions/machine/decide.ts';
import {
  type Circumstances,
  type Event,
  type EventName,
  transitionContext,
} from '../../subscriptions/machine/event.ts';
import type { OutboxEntry } from '../../subscriptions/record/outbox-entry.ts';
import type { Subscription } from '../../subscriptions/record/subscription.ts';
import type { Actor } from '../../subscriptions/record/timeline-entry.ts';

/** The stores, the clock and the timers of settlement. */
export const settlementDeps = { ...commandDeps, queries: subscriptionQueries, payments: paymentStore };
const deps = settlementDeps;

/** A subscription with its due steps taken; undefined without one. */
export async function getCurrent({
  applicationId,
  externalId,
  subscriptionId,
}: Pick<Payment, 'applicationId' | 'externalId' | 'subscriptionId'>): Promise<
  SubscriptionWithClient | undefined
> {
  if (externalId === undefined || subscriptionId === undefined) return undefined;
  const read = await readTogether({ applicationId, externalId, subscriptionId });
  return read && runDueSteps(read, deps);
}

/** A subscription with these invoices, read where they were not read with it. The one that a change issues does not exist. */
export async function withInvoices(
  current: SubscriptionWithClient,
  ns: readonly number[],
): Promise<SubscriptionWithClient> {
  const { subscription, invoices } = current;
  const isIssued = (n: number) => n <= subscription.invoiceCount;
  const missing = [...new Set(ns)].filter((n) => isIssued(n) && !invoices.some((one) => one.n === n));
  // Read after the subscription: a change of both in between fails the condition of the write.
  const read = await Promise.all(missing.map((n) => deps.invoices.get(subscription.subscriptionId, n)));
  return { ...current, invoices: [...invoices, ...read.filter((invoice) => invoice !== undefined)] };
}

/** A change of the client, and of their other subscription, in the transaction of a change. */
interface Beside {
  readonly client: ClientSubscriptionsChange | undefined;
  readonly displaced?: Change | undefined;
}

/**
 * Writes an event about a payment and schedules its follow-up.
 *
 * @param more what is written in the same transaction.
 * @param besideOf what else the change brings with it.
 */
export async function writeEvent<E extends EventName>(
  { client, subscription, invoices }: SubscriptionWithClient,
  event: Event<E>,
  { by, mails = 'sent' }: Pick<Circumstances, 'by' | 'mails'>,
  more: (change: Change) => MoreWrites,
  besideOf?: (change: Change) => Beside,
): Promise<Outcome> {
  const outcome = decide(subscription, transitionContext(event, { by, mails, client }, deps));
  if (outcome.kind !== 'changed') return outcome;
  const { change } = outcome;
  const beside = besideOf?.(change);
  const changes = beside?.displaced === undefined ? [change] : [change, beside.displaced];
  const clientChange = withCredits(client, changes, beside?.client);
  const isWritten = await writeWithFollowUps(changes, invoices, clientChange, () => more(change));
  return isWritten ? outcome : { kind: 'conflict' };
}

export type PaymentTarget =
  | { readonly invoiceId: string }
  | { readonly subscriptionId: string }
  /** A reference number in canonical form, or a text that is none. */
  | { readonly reference: string }
  /** None: the payment waits, with the text of its payer. */
  | { readonly waitingText: string };

/** Money that someone reports. A payment is recorded once, by its source and its id there. */
export interface IncomingPayment
  extends Readonly<Pick<Payment, ReportedField>>,
    Readonly<Partial<Pick<Payment, 'payer' | 'transferIds'>>> {
  readonly target: PaymentTarget;
  readonly by: Actor;
}

type ReportedField =
  | 'applicationId'
  | 'source'
  | 'sourceId'
  | 'method'
  | 'amountMinor'
  | 'currency'
  | 'valueAtMs';

/** A payment that is recorded. `unchanged`: it was recorded before. */
export interface RecordedPayment {
  readonly kind: 'changed' | 'unchanged';
  readonly payment: Payment;
  readonly subscription?: Subscription;
  readonly outbox?: readonly OutboxEntry[];
}

export interface Conflict {
  readonly kind: 'conflict';
}

/** Nothing is written, because of the payment itself. */
export interface Refused<R extends string> {
  readonly kind: 'refused';
  readonly reason: R;
}
