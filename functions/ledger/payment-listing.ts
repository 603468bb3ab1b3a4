import { defined } from '../shared/contract/defined.ts';
import { type Listing, listingAt } from '../shared/table/listing.ts';
import { standingClaims } from './claims.ts';
import { goneMinor, type Payment, type PaymentStatus, unappliedMinor } from './payment.ts';

/**
 * A status of the index alone: a part of the payment was sent back. A report of refunds reads these, and those that went
 * back as a whole, and no other payments of former periods.
 */
export const partlyReturned = 'partly_returned';
/** The whole payment went back. */
export const whollyReturned: readonly PaymentStatus[] = ['refunded', 'disputed', 'returned'];

/** The place of a payment in the index `listed`: by status and the time of its record. */
export function paymentListing(payment: Payment): Listing {
  const { applicationId, paymentId: id, status, recordedAtMs: atMs } = payment;
  const facts = factsOf(payment);
  const isPartlyReturned = facts.returnedMinor !== undefined && !whollyReturned.includes(status);
  const listStatus = isPartlyReturned ? partlyReturned : status;
  return listingAt({ applicationId, kind: 'payment', status: listStatus }, { id, atMs }, facts);
}

/** The facts by which lists filter and reports count. Amounts in minor units. */
export type PaymentFacts = ReturnType<typeof factsOf>;

function factsOf(payment: Payment) {
  const { status, source, externalId, currency, amountMinor, valueAtMs, neverArrived } = payment;
  const returnedMinor = goneMinor(payment) > 0 ? goneMinor(payment) : undefined;
  return defined({
    status,
    externalId,
    currency,
    amountMinor,
    valueAtMs,
    // A gateway states a time. A bank states a day of the calendar, which is stored as 00:00 UTC.
    atGateway: source === 'stripe' || source === 'sandbox' || undefined,
    // It waits for a decision, or for the money to arrive.
    waitingMinor: unappliedMinor(payment) || undefined,
    // It was sent back, or taken back by the gateway, the latest of it at `returnedAtMs`.
    returnedMinor,
    returnedAtMs: returnedMinor && returnedAtMs(payment),
    // It failed while it was under way: no money came or went.
    neverArrived,
  });
}

/** A gateway states when it took money back; a seller's return counts when it is recorded. */
function returnedAtMs({ claims = {}, updatedAtMs }: Payment): number {
  const { refunds } = claims;
  const times = [...standingClaims(claims), ...(refunds === undefined ? [] : [refunds])].map(
    ({ atMs }) => atMs,
  );
  return times.length > 0 ? Math.max(...times) : updatedAtMs;
}
