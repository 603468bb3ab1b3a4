import type { Invoice } from './invoice.ts';

interface Amounts {
  readonly totalMinor: number;
  readonly receivedMinor?: number | undefined;
  readonly refundedMinor?: number | undefined;
}

/**
 * The amount due of an invoice, in minor units. Mails, pages, QR codes, lists and payments all use this. What was refunded in
 * part, with a credit note, is not owed again when the rest of the payment is taken back.
 */
export function dueMinor({ totalMinor, receivedMinor = 0, refundedMinor = 0 }: Amounts): number {
  return Math.max(0, totalMinor - receivedMinor - refundedMinor);
}

/** The amount due in a currency over all of these invoices, in minor units. */
export function sumDueMinor(
  invoices: readonly (Amounts & { readonly currency: string })[],
  currency: string,
): number {
  return invoices
    .filter((invoice) => invoice.currency === currency)
    .reduce((total, invoice) => total + dueMinor(invoice), 0);
}

/**
 * Whether what an invoice had received became credit when it was closed: its term was not granted. A change of plan grants
 * time at once: what was received for it is credit only of a void invoice.
 */
export function isCredited({
  status,
  reversed,
  isGranted,
}: Pick<Invoice, 'status' | 'reversed' | 'isGranted'>): boolean {
  return !reversed && (status === 'void' || (status === 'uncollectible' && !isGranted));
}
