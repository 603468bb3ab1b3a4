import type { PaymentPart } from '../../invoices/allocation.ts';
import type { EventOf } from '../../shared/contract/event-types.ts';
import type { Status } from '../../subscriptions/record/subscription.ts';
import type { Reversals } from './reversals.ts';

/**
 * Where the money of a payment is. `processing`: it has not arrived. `applied`: it paid invoices, and what was left is
 * the client's credit. `partial`: it paid a part of an invoice. `credit`: all of it is the client's credit. `unapplied`:
 * it waits for a decision of the seller. `refunded` and `disputed`: the gateway took it back. `returned`: the seller
 * sent it back.
 */
export const paymentStatuses = [
  'processing',
  'applied',
  'partial',
  'credit',
  'unapplied',
  'refunded',
  'disputed',
  'returned',
] as const;
export type PaymentStatus = (typeof paymentStatuses)[number];

/** Who reported a payment. The ids of one source are unique for an application. */
export const paymentSources = ['stripe', 'sandbox', 'bank', 'application'] as const;
export type PaymentSource = (typeof paymentSources)[number];

export const paymentMethods = ['bank_transfer', 'card', 'direct_debit', 'cash', 'other'] as const;
export type PaymentMethod = (typeof paymentMethods)[number];

/** Why money waits for a decision. */
export const unappliedReasons = [
  /** No subscription has the reference. */
  'unknown_reference',
  /** Nothing is open, and the subscription has ended for good. */
  'subscription_ended',
  /** The currency is that of no open invoice. */
  'currency',
  /** Another subscription of the client runs. */
  'other_subscription',
  /** The invoice is paid already. */
  'duplicate',
] as const;
export type UnappliedReason = (typeof unappliedReasons)[number];

/** A part of a payment that paid an invoice, or a part of it. */
export interface Allocation {
  invoiceId: string;
  /** The number of the invoice. */
  number: string;
  subscriptionId: string;
  amountMinor: number;
  /** The number of the invoice within its subscription. */
  n: PaymentPart['n'];
}

/**
 * A payment as stored. Amounts in minor units of its currency, times in epoch milliseconds. At any time
 * `amountMinor` is the sum of the allocations, of `creditedMinor`, of `returnedMinor` and of what waits.
 */
export interface Payment {
  /** `pay_...`, derived from the application, the source and the id there: see payment-id.ts. */
  paymentId: string;
  applicationId: string;
  source: PaymentSource;
  /** The id of the payment at its source: a payment intent, the entry of a statement, an id of the application. */
  sourceId: string;
  method: PaymentMethod;
  amountMinor: number;
  currency: string;
  /** When the money moved: the time of the gateway, or the value date of a transfer. It decides whether the payment is in time. */
  valueAtMs: number;
  status: PaymentStatus;
  allocations: readonly Allocation[];
  /** The part that became credit of the client. */
  creditedMinor: number;
  /** The part that was sent back. */
  returnedMinor: number;
  unappliedReason?: UnappliedReason;
  /** The client and the subscription that it is for, as far as they are known. */
  externalId?: string;
  subscriptionId?: string;
  /** The invoice that the payer or the gateway named. */
  invoiceId?: string;
  /** The reference as the payer typed it. */
  reference?: string;
  /** The name and the account of the payer, as the bank states them. */
  payer?: { name?: string; iban?: string };
  /** The reversals of the payment, by cause. */
  reversals?: Reversals;
  /** The payment was applied although its reversal was known. The reversal follows at once. */
  reversalOf?: true;
  /** When the seller recorded last that money of it was sent back, epoch milliseconds. */
  returnedAtMs?: number;
  /** Why the seller sent it back, in their words. */
  returnReason?: string;
  /** The payment was under way and failed: it is `returned`, and no money came or went. */
  neverArrived?: true;
  /** The total that the gateway has refunded. Absent for 0. */
  refundedMinor?: number;
  /** The amount refunded before the payment was reported, or during a dispute. The refund follows at once when it is here. */
  earlierRefundMinor?: number;
  /** The money that a dispute took back, so that the end of the dispute restores it. */
  taken?: {
    readonly allocations: readonly Allocation[];
    readonly creditedMinor: number;
    /** The part that had been sent back before. */
    readonly returnedMinor: number;
  };
  /** For a payment that `activate` recorded: what it answered, and answers to a repeat. */
  answered?: { readonly status: Status; readonly termEndMs?: number };
  recordedAtMs: number;
  updatedAtMs: number;
  /** The number of events `payment.*`, which is the `sequence` of the latest. */
  eventCount: number;
  /** Incremented by every write; a write is conditioned on the revision that it read. */
  revision: number;
}

/** The part of a payment that waits for a decision, in minor units. */
export function unappliedMinor({
  amountMinor,
  allocations,
  creditedMinor,
  returnedMinor,
}: Pick<Payment, 'amountMinor' | 'allocations' | 'creditedMinor' | 'returnedMinor'>): number {
  const applied = allocations.reduce((total, allocation) => total + allocation.amountMinor, 0);
  return amountMinor - applied - creditedMinor - returnedMinor;
}

/** A payment before and after a change that is not written yet. */
export interface PaymentChange {
  readonly previous: Payment | undefined;
  readonly next: Payment;
  readonly announced: readonly EventOf<'payment'>[];
}
