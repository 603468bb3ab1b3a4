/** Decisions of the seller about money that waits, or that is credit. */
import { defined } from '../../shared/contract/defined.ts';
import { ApiError } from '../../shared/contract/errors.ts';
import { retryWhileConflict } from '../../shared/table/optimistic-retry.ts';
import type { Actor } from '../../subscriptions/record/timeline-entry.ts';
import { type Payment, unappliedMinor } from '../record/payment.ts';
import { changedPayment } from './change.ts';
import { getCurrent, settlementDeps, writeEvent } from './event.ts';
import type { Conflict, PaymentTarget, RecordedPayment } from './incoming-payment.ts';
import { settleDecided } from './place.ts';
import { findTarget } from './target.ts';
import { paymentWrites, subscriptionOfPayment, writePayment } from './writes.ts';

const deps = settlementDeps;

/** A payment of an application, and who applies or returns it. */
export interface PaymentToMove {
  readonly applicationId: string;
  readonly paymentId: string;
  readonly by: Actor;
}

/** Who records a return, and why. */
interface ReturnDetails {
  readonly by: Actor;
  readonly reason?: string;
}

/**
 * Applies what is unapplied of a payment. Without an open invoice, it becomes credit of the client.
 *
 * @throws ApiError `not_found`, `conflict`; `invalid_transition` when nothing is unapplied, or when it does not fit the target.
 */
export async function applyUnapplied(
  { applicationId, paymentId, by }: PaymentToMove,
  target: PaymentTarget,
): Promise<RecordedPayment> {
  return retryWhileConflict(async () => {
    const payment = await found(applicationId, paymentId);
    const amountMinor = unappliedMinor(payment);
    if (payment.status !== 'unapplied') throw notMovable(payment);
    const wanted = await findTarget({ applicationId, target });
    if (wanted.kind !== 'found') throw new ApiError('not_found');
    const { source: _, ...money } = payment;
    // The seller decides: an invoice that is paid is no reason to wait any longer.
    const settled = await settleDecided(
      wanted.target,
      { ...money, source: 'application', amountMinor, by },
      { previous: payment, base: payment, writes: () => [], announced: [] },
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
  { applicationId, paymentId, by }: PaymentToMove,
  reason?: string,
): Promise<RecordedPayment> {
  const details = defined({ by, reason });
  return retryWhileConflict(async () => {
    const payment = await found(applicationId, paymentId);
    if (payment.status === 'returned') return repeated(payment);
    if (payment.status === 'processing') throw notMovable(payment);
    const waiting = unappliedMinor(payment);
    return waiting > 0
      ? writeReturn(payment, { amountMinor: waiting, creditMinor: 0 }, details)
      : returnCredit(payment, details);
  });
}

async function returnCredit(payment: Payment, details: ReturnDetails): Promise<RecordedPayment | Conflict> {
  const { applicationId, externalId, currency, creditedMinor } = payment;
  const { client } =
    externalId === undefined
      ? { client: undefined }
      : await deps.subscriptions.getWithClient(applicationId, externalId, []);
  const amountMinor = Math.min(creditedMinor, client?.credit?.[currency] ?? 0);
  if (amountMinor <= 0) {
    // A repeat after a lost answer: the first returned what there was.
    if (payment.returnedAtMs !== undefined) return repeated(payment);
    throw notMovable(payment);
  }
  return writeReturn(payment, { amountMinor, creditMinor: amountMinor }, details);
}

async function writeReturn(
  payment: Payment,
  { amountMinor, creditMinor }: { amountMinor: number; creditMinor: number },
  { by, reason }: ReturnDetails,
): Promise<RecordedPayment | Conflict> {
  const { unappliedReason: _, ...fields } = payment;
  const returnedMinor = payment.returnedMinor + amountMinor;
  const isAll = returnedMinor === payment.amountMinor;
  const nowMs = deps.clock.nowMs();
  const change = changedPayment(
    payment,
    {
      ...fields,
      creditedMinor: payment.creditedMinor - creditMinor,
      returnedMinor,
      returnedAtMs: nowMs,
      status: statusAfterReturn(payment, creditMinor, isAll),
      ...defined({ returnReason: reason }),
    },
    ['returned'],
    nowMs,
  );
  const owner = ownerOf(payment);
  const current = owner && (await getCurrent(owner, []));
  if (current === undefined) {
    return (await writePayment(change)) ? { kind: 'changed', payment: change.next } : conflict;
  }
  const { paymentId, currency } = payment;
  // The credit may have been used since it was read.
  if (creditMinor > (current.client.credit?.[currency] ?? 0)) return conflict;
  const outcome = await writeEvent(
    current,
    {
      event: 'payment_returned',
      payment: { paymentId, amountMinor: payment.amountMinor, currency },
      parts: [],
      reason,
      creditMinor: creditMinor > 0 ? -creditMinor : 0,
    },
    { by },
    () => paymentWrites(change, []),
  );
  if (outcome.kind !== 'changed') return conflict;
  return { kind: 'changed', payment: change.next, subscription: outcome.change.next };
}

/** The status of a payment after a return. A payment that paid invoices keeps it. */
function statusAfterReturn(
  { allocations, status, creditedMinor }: Payment,
  creditMinor: number,
  isAll: boolean,
) {
  if (isAll) return 'returned' as const;
  if (allocations.length > 0) return status === 'unapplied' ? ('applied' as const) : status;
  return creditedMinor - creditMinor > 0 ? ('credit' as const) : ('returned' as const);
}

export function ownerOf({ applicationId, externalId, subscriptionId }: Payment) {
  if (externalId === undefined || subscriptionId === undefined) return undefined;
  return { applicationId, externalId, subscriptionId };
}

async function found(applicationId: string, paymentId: string): Promise<Payment> {
  const payment = await deps.payments.get(applicationId, paymentId);
  if (payment === undefined) throw new ApiError('not_found');
  return payment;
}

async function repeated(payment: Payment): Promise<RecordedPayment> {
  const subscription = await subscriptionOfPayment(payment);
  return subscription === undefined
    ? { kind: 'unchanged', payment }
    : { kind: 'unchanged', payment, subscription };
}

const conflict: Conflict = { kind: 'conflict' };
const notMovable = ({ status }: Payment) => new ApiError('invalid_transition', { details: { status } });
