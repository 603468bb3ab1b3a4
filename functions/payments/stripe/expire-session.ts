import { invoiceStore } from '../../invoices/store.ts';
import { stripeKeys } from './keys.ts';
import { checkoutSessions } from './sessions.ts';

/**
 * Closes the gateway's open checkout of an invoice, if there is one, so that it can no longer be paid.
 *
 * @throws Error when the gateway does not respond: the caller has to retry.
 */
export async function closeCheckout(
  {
    applicationId,
    subscriptionId,
    invoiceN,
  }: { applicationId: string; subscriptionId: string; invoiceN: number },
  nowMs: number,
): Promise<void> {
  const invoice = await invoiceStore.get(subscriptionId, invoiceN);
  if (invoice?.checkoutId === undefined) return;
  const keys = await stripeKeys(applicationId, nowMs);
  if (keys === undefined) throw new Error('A checkout cannot be closed: the application has no Stripe keys');
  await checkoutSessions(keys).expire(invoice.checkoutId);
}
