/** Items at the gateway's id of a payment: payments of release 0.1.0, and reversals that come before their payment. */
import { defined } from '../../shared/contract/defined.ts';
import type { Invoice } from '../invoices/invoice.ts';
import type { Payment, PaymentSource } from './payment.ts';
import { paymentIdOf } from './payment-id.ts';
import { isOutstanding, type Reversals, unrecordedReversal } from './reversals.ts';

/**
 * An item at the gateway's id. `waiting`: a reversal was reported before its payment. The other states are those of
 * payments that release 0.1.0 stored: it kept no amounts, because a payment paid one invoice in full.
 */
export interface FormerPayment {
  applicationId: string;
  /** The gateway's id. */
  paymentId: string;
  status: 'applied' | 'unapplied' | 'reversed' | 'waiting';
  invoiceId?: string;
  reversals?: Reversals;
  /** What was refunded before the payment was reported. */
  refundedMinor?: number;
  reversalOf?: true;
  recordedAtMs: number;
  /** Absent in items of release 0.1.0. */
  revision?: number;
}

/** The source of a payment at a gateway, by its id there. */
export function gatewayOf(sourceId: string): Extract<PaymentSource, 'stripe' | 'sandbox'> {
  return sourceId.startsWith('sandbox-') ? 'sandbox' : 'stripe';
}

/** Whether a reversal was reported before its payment, and still stands. */
export function isReversedBefore(former: FormerPayment | undefined): boolean {
  return former?.status === 'waiting' && isOutstanding(former.reversals ?? {});
}

const statusOfFormer = { applied: 'applied', unapplied: 'unapplied', reversed: 'disputed' } as const;

/** A payment of release 0.1.0 as a record, of the invoice that it paid. Undefined for a reversal without its payment. */
export function paymentOfFormer(
  { applicationId, paymentId: sourceId, status, ...former }: FormerPayment,
  invoice: Invoice,
): Payment | undefined {
  if (status === 'waiting') return undefined;
  const { invoiceId, number, n, subscriptionId, externalId, totalMinor: amountMinor, currency } = invoice;
  const source = gatewayOf(sourceId);
  const allocations = [{ invoiceId, number, n, subscriptionId, amountMinor }];
  const isReversed = status === 'reversed';
  return {
    paymentId: paymentIdOf(applicationId, source, sourceId),
    applicationId,
    source,
    sourceId,
    method: 'card',
    amountMinor,
    currency,
    valueAtMs: invoice.paidAtMs ?? former.recordedAtMs,
    status: statusOfFormer[status],
    allocations: status === 'applied' ? allocations : [],
    creditedMinor: 0,
    returnedMinor: isReversed ? amountMinor : 0,
    externalId,
    subscriptionId,
    invoiceId,
    ...defined({
      reversals: former.reversals ?? (isReversed ? unrecordedReversal : undefined),
      reversalOf: former.reversalOf,
      taken: isReversed ? { allocations, creditedMinor: 0, returnedMinor: 0 } : undefined,
    }),
    recordedAtMs: former.recordedAtMs,
    updatedAtMs: former.recordedAtMs,
    eventCount: 0,
    revision: 0,
  };
}
