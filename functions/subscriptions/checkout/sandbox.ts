import type { Invoice } from '../invoices/invoice.ts';

/**
 * The id of the next sandbox payment of an invoice. It counts the payments before it: two clicks make one payment, and
 * a payment after a reversal is a new one.
 */
export function nextPaymentId({ invoiceId, paymentId = '' }: Invoice): string {
  const prefix = `sandbox-${invoiceId}-`;
  const earlierPayments = paymentId.startsWith(prefix) ? Number(paymentId.slice(prefix.length)) : 0;
  return `${prefix}${earlierPayments + 1}`;
}
