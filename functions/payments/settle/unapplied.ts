import { transfer } from '../../ledger/entry.ts';
import { creditsOf, type Payment, unappliedMinor } from '../../ledger/payment.ts';
import { defined } from '../../shared/contract/defined.ts';
import { ApiError, found } from '../../shared/contract/errors.ts';
import { sumMinor } from '../../shared/money/money.ts';
import { retryWhileConflict } from '../../shared/table/optimistic-retry.ts';
import type { SubscriptionWithClient, Write } from '../../subscriptions/commands/subscription-store.ts';
import type { Actor } from '../../subscriptions/record/timeline-entry.ts';
import { getCurrent, settlementDeps, writeEvent } from './event.ts';
import type { Conflict, PaymentTarget, RecordedPayment } from './incoming-payment.ts';
import { accountOf, decided } from './movement.ts';
import { settleDecided } from './place.ts';
import type { Taking } from './take-back.ts';
import { findTarget } from './target.ts';
import { type PendingPayment, unchanged, writeMoved, writeMovedAlone } from './writes.ts';

const deps = settlementDeps;

export interface PaymentToMove {
  readonly applicationId: string;
  readonly paymentId: string;
  readonly by: Actor;
  /** The record of the operator who decides, for each transaction of the request. */
  readonly audit?: readonly Write[];
}

/**
 * Applies what is unapplied of a payment. Without an open invoice, it becomes credit of the client.
 *
 * @throws ApiError `not_found`, `conflict`; `invalid_transition` when nothing is unapplied, or when it does not fit the target.
 */
export async function applyUnapplied(
  { applicationId, paymentId, by, audit = [] }: PaymentToMove,
  target: PaymentTarget,
): Promise<RecordedPayment> {
  return retryWhileConflict(async () => {
    const payment = await foundPayment(applicationId, paymentId);
    const amountMinor = unappliedMinor(payment);
    if (payment.status !== 'unapplied') throw notMovable(payment);
    const wanted = await findTarget({ applicationId, target });
    if (wanted.kind !== 'found') throw new ApiError('not_found');
    const settled = await settleDecided(
      wanted.target,
      { ...decided(payment), amountMinor, by },
      { previous: payment, base: payment, writes: () => audit, announced: [] },
    );
    if (settled.kind === 'refused') throw notMovable(payment);
    return settled;
  });
}

/**
 * Records that the seller sent money back: what is unapplied of a payment, else what became credit and is not used.
 * A repeat of a payment that was returned changes nothing.
 *
 * @param reason in the words of the seller, for the payment and the timeline.
 * @throws ApiError `not_found`, `conflict`; `invalid_transition` when nothing can be returned.
 */
export async function recordReturn(
  { applicationId, paymentId, by, audit = [] }: PaymentToMove,
  reason?: string,
): Promise<RecordedPayment> {
  const details = { by, audit, ...defined({ reason }) };
  return retryWhileConflict(async () => {
    const payment = await foundPayment(applicationId, paymentId);
    if (payment.status === 'returned') return unchanged(payment);
    if (payment.status === 'processing') throw notMovable(payment);
    const waiting = { from: 'unallocated', amountMinor: unappliedMinor(payment) } as const;
    if (waiting.amountMinor > 0)
      return writeReturn(payment, { ...waiting, current: await getCurrent(payment) }, details);
    const credit = (await unusedCredits(payment)).at(-1);
    if (credit !== undefined) return writeReturn(payment, { from: 'credit', ...credit }, details);
    // A repeat after a lost answer: the first returned what there was.
    if (payment.returnedMinor > 0) return unchanged(payment);
    throw notMovable(payment);
  });
}

/**
 * The credit of a payment that its clients still have, in minor units, each with a subscription of the client.
 *
 * @param returning other credit that the clients give back first.
 */
export async function unusedCredits(
  payment: Payment,
  returning: Payment['allocations'] = [],
): Promise<readonly Pick<ReturnedMoney, 'amountMinor' | 'current'>[]> {
  const { applicationId, currency } = payment;
  const parts = await Promise.all(
    creditsOf(payment).map(async (part) => {
      const current = await getCurrent({ ...part, applicationId });
      const isOwn = ({ externalId }: Pick<Payment, 'externalId'>) => externalId === part.externalId;
      const leftMinor = (current?.client.credit?.[currency] ?? 0) - sumMinor(returning.filter(isOwn));
      return { current, amountMinor: Math.min(part.amountMinor, leftMinor) };
    }),
  );
  return parts.filter(({ amountMinor }) => amountMinor > 0);
}

async function writeReturn(
  payment: Payment,
  { from, amountMinor, current }: ReturnedMoney,
  { by, reason, audit }: Pick<Taking, 'by' | 'reason'> & Required<Pick<PaymentToMove, 'audit'>>,
): Promise<RecordedPayment | Conflict> {
  const { paymentId, currency, source } = payment;
  const move = { from: { account: accountOf(source) }, to: { account: from }, amountMinor } as const;
  // Money leaves the account: it is credited.
  const booked = [transfer('pay_out', { currency, paymentId }, move)];
  const base = { ...payment, ...defined({ returnReason: reason }) };
  const pending: PendingPayment = { previous: payment, base, writes: () => audit, announced: ['returned'] };
  if (current === undefined) return writeMovedAlone(pending, booked);
  const subject = { paymentId, amountMinor: payment.amountMinor, currency };
  const event = { event: 'payment_returned', payment: subject, booked, reason } as const;
  const written = await writeMoved(pending, [], (more) => writeEvent(current, event, { by }, more));
  return written.kind === 'refused' ? { kind: 'conflict' } : written;
}

interface ReturnedMoney {
  readonly from: 'unallocated' | 'credit';
  readonly amountMinor: number;
  readonly current: SubscriptionWithClient | undefined;
}

export async function foundPayment(applicationId: string, paymentId: string): Promise<Payment> {
  const payment = found(await deps.payments.get(applicationId, paymentId));
  return payment;
}

export const notMovable = ({ status }: Payment) =>
  new ApiError('invalid_transition', { details: { status } });
