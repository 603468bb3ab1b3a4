import { type Listing, listingAt } from '../shared/table/listing.ts';
import { standingClaims } from './claims.ts';
import { goneMinor, type Payment, type PaymentStatus, unappliedMinor } from './payment.ts';

/** The facts by which lists filter and reports count. Amounts in minor units. */
export interface PaymentFacts {
  status: PaymentStatus;
  externalId?: string;
  currency: string;
  amountMinor: number;
  valueAtMs: number;
  /** A gateway states a time. A bank states a day of the calendar, which is stored as 00:00 UTC. */
  atGateway?: true;
  /** The part that waits: for a decision, or for the money to arrive. Absent for 0. */
  waitingMinor?: number;
  /** The part that was sent back, or taken back by the gateway. Absent for 0. */
  returnedMinor?: number;
  /** When the latest of it went back. */
  returnedAtMs?: number;
  /** The payment failed while it was under way: no money came or went. */
  neverArrived?: true;
}

/**
 * A status of the index alone: a part of the payment was sent back. A report of refunds reads these, and those that went
 * back as a whole, and no other payments of former periods.
 */
export const partlyReturned = 'partly_returned';
/** The whole payment went back. */
export const whollyReturned: readonly PaymentStatus[] = ['refunded', 'disputed', 'returned'];

/** The place of a payment in the index `listed`: by status and the time of its record. */
export function paymentListing(payment: Payment): Listing {
  const { applicationId, paymentId, source, status, recordedAtMs, externalId } = payment;
  const { currency, amountMinor, valueAtMs, neverArrived } = payment;
  const returnedMinor = goneMinor(payment);
  const wentBack = returnedMinor > 0;
  const facts: Record<keyof PaymentFacts, unknown> = {
    status,
    externalId,
    currency,
    amountMinor,
    valueAtMs,
    atGateway: source === 'stripe' || source === 'sandbox' || undefined,
    waitingMinor: unappliedMinor(payment) || undefined,
    returnedMinor: wentBack ? returnedMinor : undefined,
    returnedAtMs: wentBack ? returnedAtMs(payment) : undefined,
    neverArrived,
  };
  const listStatus = wentBack && !whollyReturned.includes(status) ? partlyReturned : status;
  return listingAt(
    { applicationId, kind: 'payment', status: listStatus },
    { id: paymentId, atMs: recordedAtMs },
    facts,
  );
}

/** A gateway states when it took money back; a seller's return counts when it is recorded. */
function returnedAtMs({ claims = {}, updatedAtMs }: Payment): number {
  const { refunds } = claims;
  const times = [...standingClaims(claims), ...(refunds === undefined ? [] : [refunds])].map(
    ({ atMs }) => atMs,
  );
  return times.length > 0 ? Math.max(...times) : updatedAtMs;
}
