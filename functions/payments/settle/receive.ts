import type { EarlyClaims } from '../../ledger/claims.ts';
import type { Payment } from '../../ledger/payment.ts';
import { changedPayment } from '../../ledger/payment-change.ts';
import { paymentIdOf } from '../../ledger/payment-id.ts';
import type { KnownPayment } from '../../ledger/payment-store.ts';
import { defined } from '../../shared/contract/defined.ts';
import { ApiError } from '../../shared/contract/errors.ts';
import { retryWhileConflict } from '../../shared/table/optimistic-retry.ts';
import { settlementDeps } from './event.ts';
import type { Conflict, IncomingPayment, RecordedPayment, Refused } from './incoming-payment.ts';
import { arriving, isGateway, waitingEntry } from './movement.ts';
import { settlePayment } from './place.ts';
import { findTarget, type Target } from './target.ts';
import { type PendingPayment, subscriptionOfPayment, writePayment } from './writes.ts';

const deps = settlementDeps;

/** Options of {@link receiveReport}. */
export interface ReceiveOptions {
  /** The gateway's id of the event. */
  readonly eventId?: string;
  /** Whether the payment is still allowed, asked before each attempt. */
  readonly isAllowed?: () => Promise<boolean>;
  /** Further writes of the transaction. */
  readonly writes?: PendingPayment['writes'];
}

/** A recorded payment, or why nothing is recorded. */
export type Received = RecordedPayment | Refused<'not_allowed' | 'not_found'>;

/**
 * Records a payment once, and applies it: to the invoice that it names, then to the oldest open invoices of the
 * subscription. What is left becomes credit of the client. Money that fits nothing is `unapplied`.
 *
 * @throws ApiError `conflict` after too many concurrent writes, and when the payment was recorded with another amount.
 * `not_found` for an invoice or a subscription that the application does not have.
 */
export async function receivePayment(incoming: IncomingPayment): Promise<RecordedPayment> {
  const received = await receiveReport(incoming, {});
  if (received.kind === 'refused') throw new ApiError('not_found');
  return received;
}

/**
 * Records a payment of a gateway once, and applies it. See {@link receivePayment}.
 *
 * @throws ApiError `conflict`
 */
export function receiveReport(incoming: IncomingPayment, options: ReceiveOptions): Promise<Received> {
  return retryWhileConflict(() => receiveOnce(incoming, options));
}

async function receiveOnce(incoming: IncomingPayment, options: ReceiveOptions): Promise<Received | Conflict> {
  const { applicationId, source, sourceId } = incoming;
  const isAtGateway = isGateway(source);
  const paymentId = paymentIdOf(applicationId, source, sourceId);
  const [known, isAllowed] = await Promise.all([
    readKnown(incoming, paymentId, options),
    options.isAllowed?.() ?? true,
  ]);
  if (!isAllowed) return { kind: 'refused', reason: 'not_allowed' };
  const { payment, early } = known;
  if (payment !== undefined && payment.status !== 'processing') return repeated(payment, incoming);
  const found = await findTarget(incoming);
  if (found.kind === 'missing') return { kind: 'refused', reason: 'not_found' };
  const target = found.kind === 'found' ? found.target : undefined;
  const { nowMs } = deps.clock;
  const pending: PendingPayment = {
    previous: payment,
    base: newPayment(incoming, { paymentId, target, early, previous: payment, nowMs: nowMs() }),
    writes: (next) => [
      ...(options.writes?.(next) ?? []),
      ...(isAtGateway && payment === undefined
        ? [deps.payments.earlyClaimsRemoval(applicationId, sourceId, early)]
        : []),
      ...(options.eventId === undefined
        ? []
        : [
            deps.payments.eventWrite(applicationId, {
              eventId: options.eventId,
              paymentId,
              nowMs: nowMs(),
            }),
          ]),
    ],
    announced: ['received'],
  };
  if (target === undefined) {
    const change = changedPayment(
      payment,
      { ...pending.base, status: 'unapplied', unappliedReason: 'unknown_reference' },
      ['received', 'unapplied'],
      nowMs(),
    );
    const booked = waitingEntry(arriving(source, incoming.valueAtMs), change.next, incoming.amountMinor);
    return (await writePayment(change, pending.writes(), [booked]))
      ? { kind: 'changed', payment: change.next }
      : { kind: 'conflict' };
  }
  return settlePayment(target, { ...incoming, movement: arriving(source, incoming.valueAtMs) }, pending);
}

async function readKnown(
  { applicationId, source, sourceId }: IncomingPayment,
  paymentId: string,
  { eventId }: ReceiveOptions,
): Promise<Pick<KnownPayment, 'payment' | 'early'>> {
  if (isGateway(source)) return deps.payments.getAtGateway(applicationId, { paymentId, sourceId, eventId });
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
    kind: 'unchanged',
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
    early: EarlyClaims | undefined;
    previous: Payment | undefined;
    nowMs: number;
  },
): PendingPayment['base'] {
  const { applicationId, source, sourceId, method, amountMinor, currency, valueAtMs, payer, transferIds } =
    incoming;
  const { target: wanted } = incoming;
  const named = 'invoiceId' in wanted ? wanted.invoiceId : undefined;
  const text = 'waitingText' in wanted ? wanted.waitingText : undefined;
  const reference = 'reference' in wanted ? wanted.reference : text;
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
    refundedMinor: 0,
    disputedMinor: 0,
    recordedAtMs: previous?.recordedAtMs ?? nowMs,
    ...defined({
      externalId,
      subscriptionId,
      invoiceId: named,
      reference,
      payer,
      transferIds,
      claims: previous?.claims ?? early?.claims,
    }),
  };
}
