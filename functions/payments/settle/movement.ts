import type { Distribution } from '../../invoices/allocation.ts';
import { type Entry, entry, receivable, transfer } from '../../ledger/entry.ts';
import type { Payment, PaymentSource } from '../../ledger/payment.ts';
import { sumMinor } from '../../shared/money/money.ts';

/** Money that arrives, that waited for a decision, or that a gateway gives back. */
export interface Movement {
  readonly kind: 'payment' | 'allocation' | 'dispute_won' | 'refund_failed';
  readonly from: 'bank' | 'gateway' | 'unallocated';
  /** When the money moved outside the ledger, epoch milliseconds. */
  readonly valueAtMs?: number | undefined;
}

export const isGateway = (source: PaymentSource): boolean => source === 'stripe' || source === 'sandbox';

export const accountOf = (source: PaymentSource) => (isGateway(source) ? 'gateway' : 'bank');

export const arriving = (source: PaymentSource, valueAtMs?: number): Movement => ({
  kind: 'payment',
  from: accountOf(source),
  valueAtMs,
});

/**
 * Money of a payment that waited. The seller has decided: an invoice that is paid is no reason to wait any longer, as it is for money
 * at a gateway.
 */
export const decided = (payment: Payment) =>
  Object.assign({}, payment, {
    source: 'application',
    movement: { kind: 'allocation', from: 'unallocated' },
  } as const);

type Subject = Pick<Payment, 'paymentId' | 'currency'>;

export function movedEntry(
  { kind, from, valueAtMs }: Movement,
  { paymentId, currency }: Subject,
  { parts, overpaymentMinor }: Pick<Distribution, 'parts' | 'overpaymentMinor'>,
): Entry {
  const amountMinor = sumMinor(parts) + overpaymentMinor;
  return entry(kind, { paymentId, currency, valueAtMs }, [
    { account: from, amountMinor },
    ...parts.map((part) => ({ ...receivable(part.n), amountMinor: -part.amountMinor })),
    { account: 'credit', amountMinor: -overpaymentMinor },
  ]);
}

export function waitingEntry(
  { kind, from, valueAtMs }: Movement,
  { paymentId, currency }: Subject,
  amountMinor: number,
): Entry {
  const move = { from: { account: 'unallocated' }, to: { account: from }, amountMinor } as const;
  return transfer(kind, { paymentId, currency, valueAtMs }, move);
}
