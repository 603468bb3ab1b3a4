/** The money of a payment that arrives, or is taken back. */
import { creditedMinor } from '../../ledger/entry.ts';
import type { PaymentOfEvent } from '../record/timeline-entry.ts';
import { book } from './books.ts';
import type { Draft } from './draft.ts';
import type { ReceivedMoney } from './event.ts';

/** Books the entries of an event about a payment. Nothing waits for the payment any more. */
export function receiveMoney(draft: Draft & ReceivedMoney): void {
  book(draft, ...draft.booked);
  endProcessing(draft);
}

/** The part of a payment that became credit of the client, in minor units; undefined for nothing. */
export function overpaidMinor({ booked, payment }: ReceivedMoney): number | undefined {
  const overpaid = creditedMinor(booked, payment.currency);
  return overpaid > 0 ? overpaid : undefined;
}

/** Nothing waits for a payment any more that has arrived or failed. */
export function endProcessing({ next, payment }: Draft & { readonly payment: PaymentOfEvent }): void {
  next.processing = next.processing.filter(({ paymentId }) => paymentId !== payment.paymentId);
}
