import { type Payment, type PaymentStatus, paymentStatuses, unappliedMinor } from '../ledger/payment.ts';
import { type PaymentFacts, partlyReturned, whollyReturned } from '../ledger/payment-listing.ts';
import { readPayment } from '../ledger/payment-store.ts';
import { toPaymentResponse } from '../ledger/present-payment.ts';
import { sellerCaller } from '../shared/auth/bearer.ts';
import type { Input, Reply } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { listPage } from '../shared/lists/list-page.ts';
import { listReply } from '../shared/lists/replies.ts';
import { statusesIn } from '../shared/lists/requests.ts';
import { paymentColumns } from './columns.ts';
import { route } from './contracts/list.ts';

/** Lists the payments of the application, those recorded last first. */
export async function listPayments(request: Input<typeof route>): Promise<Reply> {
  const { query, caller } = request;
  const { unapplied, externalId } = query;
  const named = statusesIn(query.status, paymentStatuses);
  const statuses = unapplied === undefined ? named : named.filter((status) => status === 'unapplied');
  const matches = (payment: Pick<PaymentFacts, 'status' | 'externalId' | 'waitingMinor'>) =>
    statuses.includes(payment.status) &&
    (externalId === undefined || payment.externalId === externalId) &&
    (unapplied === undefined || (payment.waitingMinor ?? 0) > 0);
  const page = await listPage(
    {
      applicationId: caller.applicationId,
      kind: 'payment',
      statuses: indexStatuses(statuses),
      filters: [statuses.join(), unapplied, externalId],
      passes: matches,
      read: readPayment,
      belongs: (payment: Payment) => matches({ ...payment, waitingMinor: unappliedMinor(payment) }),
      toResponse: toPaymentResponse,
    },
    query,
  );
  return listReply(request, route, 'payments', page, paymentColumns);
}

/** Payments that were sent back in part are apart in the index, whatever their status. */
function indexStatuses(statuses: readonly PaymentStatus[]): string[] {
  const canBePartlyBack = statuses.some((status) => !whollyReturned.includes(status));
  return canBePartlyBack ? [...statuses, partlyReturned] : [...statuses];
}

export const handler = endpoint(route, listPayments, sellerCaller);
