import type { Invoice } from '../../invoices/invoice.ts';

const prefixOf = ({ invoiceId }: Invoice) => `sandbox-${invoiceId}-`;

/**
 * The id of the next sandbox payment of an invoice. It counts the payments before it: two clicks make one payment, and
 * a payment after a reversal is a new one.
 */
export function nextPaymentId(invoice: Invoice): string {
  const prefix = prefixOf(invoice);
  const { paymentId = '' } = invoice;
  const earlierPayments = paymentId.startsWith(prefix) ? Number(paymentId.slice(prefix.length)) : 0;
  return `${prefix}${earlierPayments + 1}`;
}

/** The payment of an invoice that was paid in the sandbox. A payment at Stripe is reversed by Stripe only. */
export function sandboxPaymentOf(invoice: Invoice): string | undefined {
  const { status, paymentId } = invoice;
  return status === 'paid' && paymentId?.startsWith(prefixOf(invoice)) ? paymentId : undefined;
}
