import { defined } from '../../shared/contract/defined.ts';
import { ApiError } from '../../shared/contract/errors.ts';
import { retryOnConflict } from '../../shared/table/optimistic-retry.ts';
import { type EarlyReversal, isDisputed } from '../record/early-reversal.ts';
import type { Payment } from '../record/payment.ts';
import { paymentIdOf } from '../record/payment-id.ts';
import type { KnownPayment } from '../record/store.ts';
import { changedPayment } from './change.ts';
import { settlementDeps } from './event.ts';
import type { IncomingPayment, RecordedPayment } from './incoming-payment.ts';
import { placeAt } from './place.ts';
import { findTarget, type Target } from './target.ts';
import { type Recording, subscriptionOfPayment, writePayment } from './writes.ts';

const deps = settlementDeps;

/** What a caller of {@link receivePayment} adds to it. */
export interface Receiving {
  /** The gateway's id of the event. */
  readonly eventId?: string;
  /** Whether the payment is still allowed, asked before each attempt. */
  readonly isAllowed?: () => Promise<boolean>;
  /** Further writes of the transaction. */
  readonly writes?: Recording['writes'];
  /** The subscription, when the caller has read it just before. */
  readonly target?: Target;
  readonly isActivation?: true;
  /** A repeat answers with the subscription as this payment leaves it. */
  readonly isAnswered?: true;
  /** The caller has just made the id: there is no earlier record to read. */
  readonly isNew?: true;
  /** The money must not wait for a decision. */
  readonly mustFit?: true;
}

/** A payment that is no longer allowed: nothing was written. */
export type Received = RecordedPayment | { readonly kind: 'refused' };

/**
 * Records a payment once, and applies it. See `payments.receive`.
 *
 * @throws ApiError `conflict`, and `not_found` for an invoice or a subscription that the application does not have.
 */
export async function receivePayment(
  incoming: IncomingPayment,
  receiving: Receiving = {},
): Promise<Received> {
  return retryOnConflict(() => receiveOnce(incoming, receiving));
}

/** @returns undefined after a concurrent write. */
export async function receiveOnce(
  incoming: IncomingPayment,
  receiving: Receiving,
): Promise<Received | undefined> {
  const { applicationId, source, sourceId } = incoming;
  const isAtGateway = source === 'stripe' || source === 'sandbox';
  const paymentId = paymentIdOf(applicationId, source, sourceId);
  const [known, isAllowed] = await Promise.all([
    readKnown(incoming, paymentId, receiving),
    receiving.isAllowed?.() ?? true,
  ]);
  if (!isAllowed) return { kind: 'refused' };
  const { payment, early } = known;
  if (payment !== undefined && payment.status !== 'processing') return repeated(payment, incoming);
  const target = receiving.target ?? (await findTarget(incoming));
  const { nowMs } = deps.clock;
  const recorded: Recording = {
    previous: payment,
    base: newPayment(incoming, { paymentId, target, early, previous: payment, nowMs: nowMs() }),
    writes: (next) => [
      ...(receiving.writes?.(next) ?? []),
      ...(isAtGateway && payment === undefined
        ? [deps.payments.earlyReversalRemoval(applicationId, sourceId, early)]
        : []),
      ...(receiving.eventId === undefined
        ? []
        : [
            deps.payments.eventWrite(applicationId, {
              eventId: receiving.eventId,
              paymentId,
              nowMs: nowMs(),
            }),
          ]),
    ],
    announced: ['received'],
    ...defined({ mustFit: receiving.mustFit }),
  };
  if (target === undefined) {
    const change = changedPayment(
      payment,
      { ...recorded.base, status: 'unapplied', unappliedReason: 'unknown_reference' },
      ['received', 'unapplied'],
      nowMs(),
    );
    return (await writePayment(change, recorded.writes()))
      ? { kind: 'recorded', payment: change.next }
      : undefined;
  }
  const { isActivation, isAnswered } = receiving;
  const money = { ...incoming, ...defined({ isActivation, isAnswered }) };
  const placed = await placeAt(target, money, recorded);
  if (placed !== 'unfit') return placed;
  const { runningId } = target.current.client;
  throw new ApiError('conflict', { details: defined({ subscription: runningId }) });
}

async function readKnown(
  { applicationId, source, sourceId }: IncomingPayment,
  paymentId: string,
  { eventId, isNew }: Receiving,
): Promise<Pick<KnownPayment, 'payment' | 'early'>> {
  if (isNew) return { payment: undefined, early: undefined };
  if (source === 'stripe' || source === 'sandbox')
    return deps.payments.getAtGateway(applicationId, { paymentId, sourceId, eventId });
  return { payment: await deps.payments.get(applicationId, paymentId), early: undefined };
}

async function repeated(
  payment: Payment,
  { amountMinor, currency }: IncomingPayment,
): Promise<RecordedPayment> {
  if (payment.amountMinor !== amountMinor || payment.currency !== currency) {
    const recorded = { payment: payment.paymentId, amount: 'is not that of the payment with this id' };
    throw new ApiError('conflict', { details: recorded });
  }
  return {
    kind: 'repeated',
    payment,
    ...defined({ subscription: await subscriptionOfPayment(payment) }),
  };
}

export function newPayment(
  incoming: IncomingPayment,
  {
    paymentId,
    target,
    early,
    previous,
    nowMs,
  }: {
    paymentId: string;
    target: Target | undefined;
    early: EarlyReversal | undefined;
    previous: Payment | undefined;
    nowMs: number;
  },
): Recording['base'] {
  const { applicationId, source, sourceId, method, amountMinor, currency, valueAtMs, payer } = incoming;
  const named = 'invoiceId' in incoming.target ? incoming.target.invoiceId : undefined;
  const reference = 'reference' in incoming.target ? incoming.target.reference : undefined;
  const { externalId, subscriptionId } = target?.current.subscription ?? {};
  return {
    paymentId,
    applicationId,
    source,
    sourceId,
    method,
    amountMinor,
    currency,
    valueAtMs,
    status: 'unapplied',
    allocations: [],
    creditedMinor: 0,
    returnedMinor: 0,
    recordedAtMs: previous?.recordedAtMs ?? nowMs,
    ...defined({
      externalId,
      subscriptionId,
      invoiceId: named,
      reference,
      payer,
      reversals: previous?.reversals ?? early?.reversals,
      earlierRefundMinor: early?.refundedMinor,
      reversalOf: isDisputed(early) || undefined,
    }),
  };
}
