import type { EventOf } from '../shared/contract/event-types.ts';
import { sumMinor } from '../shared/money/money.ts';
import { type Claims, claimedMinor } from './claims.ts';

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
type PaymentMethod = (typeof paymentMethods)[number];

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
  /** The seller took it from where it was. */
  'reallocated',
] as const;
export type UnappliedReason = (typeof unappliedReasons)[number];

/** A part of a payment that paid an invoice, or a part of it. */
export interface Allocation {
  invoiceId: string;
  number: string;
  /** The owner of the invoice: a payment can be allocated to the invoices of several. */
  externalId: string;
  subscriptionId: string;
  amountMinor: number;
  n: number;
  /** The invoice was paid completely after this part came. A share that leaves keeps this only while the invoice stays paid. */
  isPaid?: true;
}

export interface CreditPart {
  readonly externalId: string;
  /** The subscription whose timeline shows that it is taken back. */
  readonly subscriptionId: string;
  readonly amountMinor: number;
  /** Credit that claims took, and that the client had used: money that comes back is theirs first. */
  readonly owedMinor?: number;
}

/** Where the money of a payment is. The ledger is the source of these sums. In minor units. */
export interface HeldMoney {
  allocations: readonly Allocation[];
  /** The part that became credit. Below 0, the client owes it: the seller had sent it back when the bank took it. */
  creditedMinor: number;
  /** By client. Absent when it is of the client of the payment alone. */
  credits?: readonly CreditPart[];
  /** The part that the seller sent back, or that never arrived. */
  returnedMinor: number;
  refundedMinor: number;
  /** The part that a dispute, or a bank, took back. */
  disputedMinor: number;
}

/** A payment as stored. Amounts in minor units of its currency, times in epoch milliseconds. */
export interface Payment extends HeldMoney {
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
  unappliedReason?: UnappliedReason;
  /** The client and the subscription that it is for, as far as they are known. */
  externalId?: string;
  subscriptionId?: string;
  invoiceId?: string;
  /** The reference as the payer typed it. */
  reference?: string;
  /** The name and the account of the payer, as the bank states them. */
  payer?: { name?: string; iban?: string };
  /** The ids of a bank transfer, by which a reversal names it. */
  transferIds?: readonly string[];
  /** The claims of its gateway or bank. The held money follows, at once or in the next change. */
  claims?: Claims;
  /** Why the seller sent it back, in their words. */
  returnReason?: string;
  /** The payment was under way and failed: it is `returned`, and no money came or went. */
  neverArrived?: true;
  /** For a payment that `activate` recorded: what it answered, and answers to a repeat. */
  answered?: { readonly status: string; readonly termEndMs?: number };
  recordedAtMs: number;
  updatedAtMs: number;
  /** The number of events `payment.*`, which is the `sequence` of the latest. */
  eventCount: number;
  /** Incremented by every write; a write is conditioned on the revision that it read. */
  revision: number;
}

/** The part of a payment that the seller or its gateway has no more, in minor units. */
export function goneMinor({ returnedMinor, refundedMinor, disputedMinor }: HeldMoney): number {
  return returnedMinor + refundedMinor + disputedMinor;
}

/** The clients whose credit a part of a payment is, the latest last. */
export function creditsOf({
  externalId,
  subscriptionId,
  creditedMinor: amountMinor,
  credits,
}: Pick<Payment, 'externalId' | 'subscriptionId' | 'creditedMinor' | 'credits'>): readonly CreditPart[] {
  if (credits !== undefined) return credits;
  const isOwned = externalId !== undefined && subscriptionId !== undefined;
  return isOwned && amountMinor !== 0 ? [{ externalId, subscriptionId, amountMinor }] : [];
}

/** The money of a payment that settles a debt of a client before anything else when it comes back, in minor units. */
export const debtMinor = ({ amountMinor, owedMinor = 0 }: CreditPart): number =>
  Math.max(-amountMinor, owedMinor);

/**
 * The part of a payment that waits for a decision, in minor units. Below 0, it is missing: the seller had sent it back when the
 * bank took it, and no client is known who owes it.
 */
export function unappliedMinor(payment: HeldMoney & Pick<Payment, 'amountMinor'>): number {
  const { amountMinor, allocations, creditedMinor } = payment;
  return amountMinor - sumMinor(allocations) - creditedMinor - goneMinor(payment);
}

/** Money that a payment holds beyond what its gateway leaves it, or lacks. */
export interface Gap {
  readonly kind: 'dispute' | 'dispute_won' | 'refund' | 'refund_failed';
  readonly amountMinor: number;
}

/** The next movement after which the payment holds what its claims leave it; undefined when it does. */
export function gapOf({
  amountMinor,
  returnedMinor,
  refundedMinor,
  disputedMinor,
  claims = {},
}: HeldMoney & Pick<Payment, 'amountMinor' | 'claims'>): Gap | undefined {
  const claimed = claimedMinor(claims, amountMinor);
  // A gateway sends money back once: what was refunded cannot be disputed as well, whichever was reported first. A bank takes back
  // the whole transfer, also when the seller has sent a part back with a transfer of their own.
  const room = claims.reversals === undefined ? amountMinor - returnedMinor : amountMinor;
  const refunded = Math.min(room, claimed.refundedMinor);
  const disputed = Math.min(room - refunded, claimed.disputedMinor);
  // A refund is of money that invoices have: what a dispute took is there again before it, as if the refund had come first.
  const wonMinor = disputedMinor - (refunded > refundedMinor ? 0 : disputed);
  if (disputed < disputedMinor) return { kind: 'dispute_won', amountMinor: wonMinor };
  if (refunded < refundedMinor) return { kind: 'refund_failed', amountMinor: refundedMinor - refunded };
  if (refunded > refundedMinor) return { kind: 'refund', amountMinor: refunded - refundedMinor };
  return disputed > disputedMinor ? { kind: 'dispute', amountMinor: disputed - disputedMinor } : undefined;
}

/** A payment before and after a change that is not written yet. */
export interface PaymentChange {
  readonly previous: Payment | undefined;
  readonly next: Payment;
  readonly announced: readonly EventOf<'payment'>[];
}
