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
