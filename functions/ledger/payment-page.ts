import { indexedPage } from '../shared/lists/indexed-list.ts';
import type { ListPage } from '../shared/lists/list-page.ts';
import { ofApplication } from '../shared/lists/partitions.ts';
import { statusesIn } from '../shared/lists/requests.ts';
import { type Payment, type PaymentStatus, paymentStatuses, unappliedMinor } from './payment.ts';
import { type PaymentFacts, partlyReturned, whollyReturned } from './payment-listing.ts';
import { readPayment } from './payment-store.ts';

type PaymentQuery = Parameters<typeof indexedPage>[1] & {
  /** `status`: states, separated by commas. `unapplied`: only payments of which something waits for a decision. */
  readonly [Filter in 'status' | 'unapplied' | 'externalId']?: string | undefined;
};

/**
 * A page of the payments of an application, those recorded last first.
 *
 * @throws ApiError `invalid_request` when the cursor does not belong to this list, or the period ends before it begins.
 */
export function paymentPage<R>(
  applicationId: string,
  query: PaymentQuery,
  toResponse: (payment: Payment) => R,
): Promise<ListPage<R>> {
  const { unapplied, externalId } = query;
  const named = statusesIn(query.status, paymentStatuses);
  const statuses = unapplied === undefined ? named : named.filter((status) => status === 'unapplied');
  const matches = (payment: Pick<PaymentFacts, 'status' | 'externalId' | 'waitingMinor'>) =>
    statuses.includes(payment.status) &&
    (externalId === undefined || payment.externalId === externalId) &&
    (unapplied === undefined || (payment.waitingMinor ?? 0) > 0);
  return indexedPage(
    {
      source: ofApplication({ applicationId }, 'payment', indexStatuses(statuses)),
      filters: [statuses.join(), unapplied, externalId],
      passes: matches,
      read: readPayment,
      belongs: (payment: Payment) => matches({ ...payment, waitingMinor: unappliedMinor(payment) }),
      toResponse,
    },
    query,
  );
}

/** Payments that were sent back in part are apart in the index, whatever their status. */
function indexStatuses(statuses: readonly PaymentStatus[]): string[] {
  const canBePartlyBack = statuses.some((status) => !whollyReturned.includes(status));
  return canBePartlyBack ? [...statuses, partlyReturned] : [...statuses];
}
