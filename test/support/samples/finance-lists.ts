import type { Call } from '../call.ts';
import { asSeller, newSeller, subscribed } from '../subscriptions/requests.ts';
import { pendingSubscription } from './finance.ts';
import { asOperator } from './operator.ts';

/** A call of a seller who has one client with a subscription and its invoice. */
async function forSeller(query?: Record<string, string>): Promise<Call> {
  const seller = await newSeller();
  await subscribed(seller, 'active');
  return query === undefined ? { headers: asSeller(seller) } : { headers: asSeller(seller), query };
}

export const financeListSamples: Record<string, () => Call | Promise<Call>> = {
  'invoices.list': () => forSeller(),
  'invoices.credit-note-list': () => forSeller(),
  'clients.list': () => forSeller(),
  'payments.list': () => forSeller(),
  'journal.list': () => forSeller(),
  'journal.account-statement': async () => {
    const seller = await newSeller();
    const { externalId } = await subscribed(seller, 'active');
    return { headers: asSeller(seller), params: { externalId } };
  },
  'operator.subscription-mail-list': async () => {
    const seller = await newSeller();
    const { id } = await pendingSubscription(seller);
    return asOperator({ params: { id } });
  },
  'reports.receivables-read': () => forSeller(),
  'reports.revenue-read': () => forSeller(),
  'reports.tax-read': () => forSeller(),
};
