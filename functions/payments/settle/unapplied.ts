/** Decisions of the seller about money that waits, or that is credit. */
import { transfer } from '../../ledger/entry.ts';
import { creditsOf, type Payment, unappliedMinor } from '../../ledger/payment.ts';
import { changedPayment, heldAfter, type InvoiceOfN, settledStatus } from '../../ledger/payment-change.ts';
import { defined } from '../../shared/contract/defined.ts';
import { ApiError } from '../../shared/contract/errors.ts';
import { retryWhileConflict } from '../../shared/table/optimistic-retry.ts';
import type { Actor } from '../../subscriptions/record/timeline-entry.ts';
import { getCurrent, settlementDeps, writeEvent } from './event.ts';
import type { Conflict, PaymentTarget, RecordedPayment } from './incoming-payment.ts';
import { accountOf, waiting } from './movement.ts';
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
    const payment = await foundPayment(applicationId, paymentId);
    const amountMinor = unappliedMinor(payment);
    if (payment.status !== 'unapplied') throw notMovable(payment);
    const wanted = await findTarget({ applicationId, target });
    if (wanted.kind !== 'found') throw new ApiError('not_found');
    const { source: _, ...money } = payment;
    // The seller decides: an invoice that is paid is no reason to wait any longer.
    const settled = await settleDecided(
      wanted.target,
      { ...money, source: 'application', movement: waiting, amountMinor, by },
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
    const payment = await foundPayment(applicationId, paymentId);
    if (payment.status === 'returned') return repeated(payment);
    if (payment.status === 'processing') throw notMovable(payment);
    const waitingMinor = unappliedMinor(payment);
    return waitingMinor > 0
      ? writeReturn(payment, { from: 'unallocated', amountMinor: waitingMinor, owner: payment }, details)
      : returnCredit(payment, details);
  });
}

async function returnCredit(payment: Payment, details: ReturnDetails): Promise<RecordedPayment | Conflict> {
  const { applicationId, currency } = payment;
  for (const part of creditsOf(payment).toReversed()) {
    const { client } = await deps.subscriptions.getWithClient(applicationId, part.externalId, []);
    const amountMinor = Math.min(part.amountMinor, client?.credit?.[currency] ?? 0);
    if (amountMinor > 0) return writeReturn(payment, { from: 'credit', amountMinor, owner: part }, details);
  }
  // A repeat after a lost answer: the first returned what there was.
  if (payment.returnedMinor > 0) return repeated(payment);
  throw notMovable(payment);
}

async function writeReturn(
  payment: Payment,
  { from, amountMinor, owner }: { from: 'unallocated' | 'credit'; amountMinor: number; owner: ReturnOwner },
  { by, reason }: ReturnDetails,
): Promise<RecordedPayment | Conflict> {
  const { paymentId, currency, source } = payment;
  const to = { account: accountOf(source) } as const;
  // Money leaves the account: it is credited.
  const booked = [
    transfer('pay_out', { currency, paymentId }, { from: to, to: { account: from }, amountMinor }),
  ];
  const { unappliedReason: _, ...fields } = payment;
  const owned = ownerOf(payment, owner);
  const held = { ...fields, ...heldAfter(payment, booked, noInvoice, owned) };
  const change = changedPayment(
    payment,
    {
      ...held,
      status: settledStatus(held, payment.status !== 'partial'),
      ...defined({ returnReason: reason }),
    },
    ['returned'],
    deps.clock.nowMs(),
  );
  const current = owned && (await getCurrent(owned, []));
  if (current === undefined) {
    return (await writePayment(change, [], booked)) ? { kind: 'changed', payment: change.next } : conflict;
  }
  // The credit may have been used since it was read.
  if (from === 'credit' && amountMinor > (current.client.credit?.[currency] ?? 0)) return conflict;
  const subject = { paymentId, amountMinor: payment.amountMinor, currency };
  const event = { event: 'payment_returned', payment: subject, booked, reason } as const;
  const outcome = await writeEvent(current, event, { by }, () => paymentWrites(change, []));
  if (outcome.kind !== 'changed') return conflict;
  return { kind: 'changed', payment: change.next, subscription: outcome.change.next };
}

const noInvoice: InvoiceOfN = () => {
  throw new Error('A return takes no part of an invoice');
};

type ReturnOwner = Pick<Payment, 'externalId' | 'subscriptionId'>;

function ownerOf({ applicationId }: Payment, { externalId, subscriptionId }: ReturnOwner) {
  if (externalId === undefined || subscriptionId === undefined) return undefined;
  return { applicationId, externalId, subscriptionId };
}

/** @throws ApiError `not_found` */
export async function foundPayment(applicationId: string, paymentId: string): Promise<Payment> {
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
export const notMovable = ({ status }: Payment) =>
  new ApiError('invalid_transition', { details: { status } });
