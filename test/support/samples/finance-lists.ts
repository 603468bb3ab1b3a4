import { type Call, newSeller } from '../call.ts';
import { pendingSubscription } from './finance.ts';
import { asOperator } from './operator.ts';

/** A call of a seller who has one client with a subscription and its invoice. */
async function forSeller(query?: Record<string, string>): Promise<Call> {
  const seller = await newSeller();
  await seller.subscribed('active');
  return query === undefined ? { headers: seller.headers } : { headers: seller.headers, query };
}

export const financeListSamples: Record<string, () => Call | Promise<Call>> = {
  'invoices.list': () => forSeller(),
  'invoices.credit-note-list': () => forSeller(),
  'clients.list': () => forSeller(),
  'payments.list': () => forSeller(),
  'journal.list': () => forSeller(),
  'journal.account-statement': async () => {
    const seller = await newSeller();
    const { externalId } = await seller.subscribed('active');
    return { headers: seller.headers, params: { externalId } };
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
