import { sumDueMinor } from '../../invoices/due.ts';
import type { Invoice } from '../../invoices/invoice.ts';
import type { Payment } from '../../ledger/payment.ts';
import { paymentIdOf } from '../../ledger/payment-id.ts';
import { defined } from '../../shared/contract/defined.ts';
import { ApiError } from '../../shared/contract/errors.ts';
import { dayMs } from '../../shared/runtime/clock.ts';
import { type IdempotentRequest, responseWrite, storedResponse } from '../../shared/table/idempotency.ts';
import { retryOnConflict } from '../../shared/table/optimistic-retry.ts';
import { invalidTransition } from '../../subscriptions/commands/execute-command.ts';
import { runDueSteps } from '../../subscriptions/commands/run-due-steps.ts';
import { readTogether, type SubscriptionOwner } from '../../subscriptions/commands/subscription-queries.ts';
import type { SubscriptionWithClient } from '../../subscriptions/commands/subscription-store.ts';
import { toChangeResponse } from '../../subscriptions/present/subscription.ts';
import {
  type Subscription,
  type SubscriptionFields,
  statuses,
} from '../../subscriptions/record/subscription.ts';
import { settlementDeps } from './event.ts';
import type { IncomingPayment } from './incoming-payment.ts';
import { arriving } from './movement.ts';
import { settleDecided, settlePayment } from './place.ts';
import { payableInvoices } from './placement.ts';
import { newPayment } from './receive.ts';
import type { Target } from './target.ts';
import type { PendingPayment } from './writes.ts';

export interface Activation {
  readonly paymentId: string | undefined;
  readonly currency: string | undefined;
  /** The amount in minor units of a currency; undefined for what is due. */
  readonly amountIn: (currency: string) => number | undefined;
  readonly valueAtMs: number;
  readonly invoiceId: string | undefined;
}

export type ActivationAnswer = ReturnType<typeof toChangeResponse>;

/** A repeated request without an amount pays nothing else within this time. */
const repeatMs = dayMs;
const deps = settlementDeps;

/**
 * Records a payment outside a gateway. A repeat, by its key or by the id of the payment, answers as the first request did,
 * and changes nothing: steps that are due wait for their timer.
 *
 * @param request under its key, the payment is recorded once.
 * @returns the subscription after the payment.
 * @throws ApiError `not_found`, `conflict`, `invalid_transition`, `idempotency_mismatch`
 */
export async function activate(
  owner: SubscriptionOwner,
  activation: Activation,
  request: IdempotentRequest | undefined,
): Promise<ActivationAnswer> {
  return retryOnConflict(async () => {
    const { applicationId, subscriptionId } = owner;
    const { paymentId } = activation;
    const [earlier, payment, read] = await Promise.all([
      storedResponse<ActivationAnswer>(request, deps.clock.nowMs()),
      paymentId === undefined
        ? undefined
        : deps.payments.get(applicationId, paymentIdOf(applicationId, 'application', paymentId)),
      readTogether(owner, deps.invoices.latest(subscriptionId)),
    ]);
    if (read === undefined) throw new ApiError('not_found');
    if (earlier !== undefined) return earlier;
    if (payment !== undefined) {
      const { subscription } = read;
      expectSame(payment, subscription, activation);
      if (payment.answered !== undefined) return toChangeResponse(asAnswered(subscription, payment.answered));
    }
    const current = await runDueSteps(read, deps);
    if (payment !== undefined) return toChangeResponse(current.subscription);
    const named = await namedInvoice(current, activation);
    const after = await activateOnce({ current, named }, activation, request);
    return after && toChangeResponse(after);
  });
}

/** @returns undefined after a concurrent write. */
async function activateOnce(
  target: Target,
  activation: Activation,
  request: IdempotentRequest | undefined,
): Promise<SubscriptionFields | undefined> {
  const { current, named } = target;
  const { subscription, client } = current;
  const { paymentId, amountIn } = activation;
  const open = payableInvoices(subscription, client);
  const currency = activation.currency ?? named?.currency ?? open[0]?.currency ?? subscription.plan.currency;
  const statedMinor = amountIn(currency);
  if (statedMinor === undefined) {
    const unchanged = repeatedOf(target, paymentId);
    if (unchanged !== undefined) return unchanged;
  }
  const due = named === undefined ? open : open.filter(({ n }) => n === named.n);
  const isPlain = paymentId === undefined && statedMinor === undefined;
  const incoming: IncomingPayment = {
    applicationId: subscription.applicationId,
    source: 'application',
    sourceId: paymentId ?? ownPaymentId(subscription, isPlain),
    method: 'bank_transfer',
    amountMinor: statedMinor ?? sumDueMinor(due, currency),
    currency,
    valueAtMs: activation.valueAtMs,
    target: named === undefined ? subscription : { invoiceId: named.invoiceId },
    by: 'application',
  };
  // The payment was not recorded when the subscription was read, and the write is conditioned on that.
  const pending: PendingPayment = {
    previous: undefined,
    base: newPayment(incoming, target),
    writes: (next) => responseWrites(request, next),
    announced: ['received'],
    ...defined({ answered: paymentId === undefined ? undefined : answerOf }),
  };
  const isActivation = (isPlain && named === undefined) || undefined;
  const money = {
    ...incoming,
    movement: arriving(incoming.source, incoming.valueAtMs),
    ...defined({ isActivation }),
  };
  const settle = isPlain ? settleDecided : settlePayment;
  const outcome = await settle(target, money, pending);
  if (outcome.kind === 'conflict') return undefined;
  if (outcome.kind === 'refused')
    throw new ApiError('conflict', { details: defined({ subscription: client.runningId }) });
  const after = outcome.subscription ?? subscription;
  // Terms before and after a change of the plan's currency: a payment has one currency.
  const other = after.openInvoices.find(({ n }) => due.some((one) => one.n === n));
  if (!isPlain || other === undefined) return after;
  const rest = { ...activation, currency: other.currency };
  return activateOnce({ named, current: { ...current, subscription: after } }, rest, undefined);
}

/** The invoice that the request names. One that is not open is read after the subscription: it can have been paid meanwhile. */
async function namedInvoice(
  { subscription, invoices }: SubscriptionWithClient,
  { invoiceId }: Activation,
): Promise<Invoice | undefined> {
  if (invoiceId === undefined) return undefined;
  const { applicationId, subscriptionId, openInvoices } = subscription;
  const read = invoices.find((invoice) => invoice.invoiceId === invoiceId);
  const open = openInvoices.find((one) => one.invoiceId === invoiceId);
  if (open !== undefined && read !== undefined) return read;
  const n = open?.n ?? read?.n;
  const invoice =
    n === undefined
      ? await deps.invoices.find(applicationId, invoiceId)
      : await deps.invoices.get(subscriptionId, n);
  if (invoice?.subscriptionId !== subscriptionId) throw new ApiError('not_found');
  return invoice;
}

/** The subscription when a request without an amount finds nothing that it pays. */
function repeatedOf(
  { current, named }: Target,
  paymentId: string | undefined,
): SubscriptionFields | undefined {
  const { subscription } = current;
  const { openInvoices, status, lastActivation } = subscription;
  if (named !== undefined) {
    if (openInvoices.some(({ n }) => n === named.n)) return undefined;
    if (named.status === 'paid') return subscription;
    throw nothingToPay(subscription);
  }
  if (openInvoices.length > 0) {
    if (paymentId !== undefined || lastActivation === undefined) return undefined;
    const isRecent = deps.clock.nowMs() - lastActivation.atMs < repeatMs;
    const areNewer = openInvoices.every(({ n }) => n > lastActivation.n);
    return isRecent && areNewer ? asAnswered(subscription, lastActivation) : undefined;
  }
  if (status === 'trialing') return undefined;
  if (status === 'active') return subscription;
  throw nothingToPay(subscription);
}

/** An expired subscription has no open invoice. A payment that came all the same has an amount, which `activate` was not told. */
const nothingToPay = (subscription: Subscription) =>
  invalidTransition(subscription, subscription.status === 'expired' ? expiredHelp : undefined);

const expiredHelp =
  'Nothing is open. If a payment arrived, record it with POST /payments: it makes the subscription active again, or becomes credit if it is too late.';

/**
 * The id of an application is that of one payment. One that is not of this client, or has another amount, pays nothing here,
 * and a success would say that it does.
 */
function expectSame(
  { paymentId, externalId, amountMinor, currency }: Payment,
  subscription: Subscription,
  activation: Activation,
): void {
  if (externalId !== subscription.externalId)
    throw new ApiError('conflict', {
      details: { paymentId: 'is that of a payment that is not of this client' },
    });
  const stated = activation.currency ?? currency;
  if (stated === currency && (activation.amountIn(stated) ?? amountMinor) === amountMinor) return;
  throw new ApiError('conflict', {
    details: { payment: paymentId, amount: 'is not that of the payment with this id' },
  });
}

/** Without an id of the application: a concurrent change of the subscription gives the payment another one. */
function ownPaymentId({ subscriptionId, revision }: Subscription, isPlain: boolean): string {
  return isPlain ? `activation-${subscriptionId}-${revision}` : deps.newId('pay', deps.clock.nowMs());
}

function responseWrites(request: IdempotentRequest | undefined, next: Subscription | undefined) {
  if (request === undefined || next === undefined) return [];
  return [responseWrite(request, toChangeResponse(next), deps.clock.nowMs())];
}

const answerOf = ({ status, termEndMs }: Subscription) => ({ status, ...defined({ termEndMs }) });

function asAnswered(
  subscription: Subscription,
  { status, termEndMs }: NonNullable<Payment['answered']>,
): SubscriptionFields {
  const { termEndMs: _, ...rest } = subscription;
  const known = statuses.find((one) => one === status) ?? subscription.status;
  return { ...rest, status: known, ...defined({ termEndMs }) };
}
