import { nowMs } from '../../shared/runtime/clock.ts';
import { checkoutStore } from '../checkout/store.ts';
import { stripeKeys } from './keys.ts';
import { checkoutSessions } from './sessions.ts';

/**
 * Closes what is open at the gateway for an invoice, so that nobody can pay it any more; nothing to do is fine.
 *
 * @throws Error when the gateway cannot be asked: it has to be tried again.
 */
export async function closeCheckout({
  applicationId,
  subscriptionId,
  invoiceN,
}: {
  applicationId: string;
  subscriptionId: string;
  invoiceN: number;
}): Promise<void> {
  const invoice = await checkoutStore.invoice(subscriptionId, invoiceN);
  if (invoice?.gateway !== 'stripe' || invoice.checkoutId === undefined) return;
  const keys = await stripeKeys(applicationId, nowMs());
  if (keys === undefined) throw new Error('A checkout cannot be closed: the application has no Stripe keys');
  await checkoutSessions(keys).expire(invoice.checkoutId);
}
