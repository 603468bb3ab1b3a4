import type { Invoice } from '../invoices/invoice.ts';

/**
 * What names a payment of the sandbox: the invoice and how often it was paid before. Who presses twice names the same
 * payment, who pays again after it was taken back another.
 */
export function nextPaymentId({ invoiceId, paymentId = '' }: Invoice): string {
  const prefix = `sandbox-${invoiceId}-`;
  const before = paymentId.startsWith(prefix) ? Number(paymentId.slice(prefix.length)) : 0;
  return `${prefix}${before + 1}`;
}
