import type { Payment } from '../../ledger/payment.ts';
import { paymentIdOf } from '../../ledger/payment-id.ts';
import type { KnownPayment } from '../../ledger/payment-store.ts';
import { defined } from '../../shared/contract/defined.ts';
import { ApiError } from '../../shared/contract/errors.ts';
import { retryWhileConflict } from '../../shared/table/optimistic-retry.ts';
import type { Write } from '../../subscriptions/commands/subscription-store.ts';
import { paymentGateway } from '../../subscriptions/record/policy.ts';
import { settlementDeps } from './event.ts';
import type { Conflict, IncomingPayment, RecordedPayment, Refused } from './incoming-payment.ts';
import { arriving, isGateway } from './movement.ts';
import { settlePayment } from './place.ts';
import { findTarget, type Target } from './target.ts';
import { type PendingPayment, unchanged } from './writes.ts';

const deps = settlementDeps;

export type Received = RecordedPayment | Refused<'not_allowed' | 'not_found'>;

/**
 * Records a payment once, and applies it: to the invoice that it names, then to the oldest open invoices of the
 * subscription. What is left becomes credit of the client. Money that fits nothing is `unapplied`.
 *
 * @param audit the record of the operator who reports it.
 * @throws ApiError `conflict` after too many concurrent writes, and when the payment was recorded with another amount.
 * `not_found` for an invoice or a subscription that the application does not have.
 */
export async function receivePayment(
  incoming: IncomingPayment,
  audit: readonly Write[] = [],
): Promise<RecordedPayment> {
  const received = await retryWhileConflict(() => receiveOnce(incoming, undefined, audit));
  if (received.kind === 'refused') throw new ApiError('not_found');
  return received;
}

/**
 * Records a payment of a gateway once, and applies it. See {@link receivePayment}.
 *
 * @param eventId the gateway's id of the event.
 * @throws ApiError `conflict`
 */
export function receiveReport(incoming: IncomingPayment, eventId?: string): Promise<Received> {
  return retryWhileConflict(() => receiveOnce(incoming, eventId));
}

async function receiveOnce(
  incoming: IncomingPayment,
  eventId: string | undefined,
  audit: readonly Write[] = [],
): Promise<Received | Conflict> {
  const { applicationId, source, sourceId } = incoming;
  const isAtGateway = isGateway(source);
  const isSandbox = source === 'sandbox';
  const paymentId = paymentIdOf(applicationId, source, sourceId);
  const [known, isAllowed] = await Promise.all([
    isAtGateway
      ? deps.payments.getAtGateway(applicationId, { paymentId, sourceId, eventId })
      : { payment: await deps.payments.get(applicationId, paymentId), early: undefined },
    // A payment in the sandbox exists only because of a click. Money that moved at Stripe is recorded whatever the gateway is by then.
    !isSandbox || isSandboxOf(applicationId),
  ]);
  if (!isAllowed) return { kind: 'refused', reason: 'not_allowed' };
  const { payment, early } = known;
  if (payment !== undefined && payment.status !== 'processing') return repeated(payment, incoming);
  const found = await findTarget(incoming);
  if (found.kind === 'missing') return { kind: 'refused', reason: 'not_found' };
  const { target } = found;
  const pending: PendingPayment = {
    previous: payment,
    base: newPayment(incoming, target, known),
    writes: () => [
      ...audit,
      ...(isSandbox ? [deps.payments.sandboxCondition(applicationId)] : []),
      ...(isAtGateway && payment === undefined
        ? [deps.payments.earlyClaimsRemoval(applicationId, sourceId, early)]
        : []),
      ...(eventId === undefined
        ? []
        : [deps.payments.eventWrite(applicationId, { eventId, paymentId, nowMs: deps.clock.nowMs() })]),
    ],
    announced: ['received'],
  };
  const movement = arriving(source, incoming.valueAtMs);
  return settlePayment(target, { ...incoming, movement }, pending);
}

async function isSandboxOf(applicationId: string): Promise<boolean> {
  const application = await deps.getApplication(applicationId);
  return application !== undefined && paymentGateway(application.settings) === 'sandbox';
}

function repeated(payment: Payment, { amountMinor, currency }: IncomingPayment): Promise<RecordedPayment> {
  if (payment.amountMinor === amountMinor && payment.currency === currency) return unchanged(payment);
  const recorded = { payment: payment.paymentId, amount: 'is not that of the payment with this id' };
  throw new ApiError('conflict', { details: recorded });
}

/** A payment of which nothing is placed yet. What a former record of it says is kept. */
export function newPayment(
  { target: wanted, by: _, ...incoming }: IncomingPayment,
  target: Target | undefined,
  { payment, early }: Partial<Pick<KnownPayment, 'payment' | 'early'>> = {},
): PendingPayment['base'] {
  const { applicationId, source, sourceId } = incoming;
  const text = 'waitingText' in wanted ? wanted.waitingText : undefined;
  const { externalId, subscriptionId } = target?.current.subscription ?? {};
  return {
    ...incoming,
    paymentId: paymentIdOf(applicationId, source, sourceId),
    status: 'unapplied',
    allocations: [],
    creditedMinor: 0,
    returnedMinor: 0,
    refundedMinor: 0,
    disputedMinor: 0,
    recordedAtMs: payment?.recordedAtMs ?? deps.clock.nowMs(),
    ...defined({
      externalId,
      subscriptionId,
      invoiceId: 'invoiceId' in wanted ? wanted.invoiceId : undefined,
      reference: 'reference' in wanted ? wanted.reference : text,
      claims: payment?.claims ?? early?.claims,
      unappliedReason: target === undefined ? ('unknown_reference' as const) : undefined,
    }),
  };
}
