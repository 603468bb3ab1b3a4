import { checkoutUrl } from '../../invoices/payment-link.ts';
import { payabilityOf } from '../../payments/checkout/payability.ts';
import type { PayableInvoice } from '../../payments/checkout/store.ts';

export type PaymentWay =
  | { kind: 'online'; url: string }
  | { kind: 'transfer' }
  /** It was issued for a gateway, and the application has none now. */
  | { kind: 'ask' }
  | { kind: 'not_now' };

/** @returns undefined when the invoice cannot be paid any more. */
export async function paymentWayOf(
  payable: PayableInvoice,
  baseUrl: string,
  nowMs: number,
): Promise<PaymentWay | undefined> {
  const payability = payabilityOf(payable, nowMs);
  if (payability === 'paused') return { kind: 'not_now' };
  if (payability !== 'payable') return undefined;
  const { invoice, gateway } = payable;
  if (invoice.gateway === 'none') return { kind: 'transfer' };
  return gateway === 'none'
    ? { kind: 'ask' }
    : { kind: 'online', url: await checkoutUrl(baseUrl, invoice.invoiceId) };
}
