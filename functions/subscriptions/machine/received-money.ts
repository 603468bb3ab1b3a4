/** The amounts that a payment adds to open invoices and to the credit of the client, or takes from them. */
import type { PaymentOfEvent } from '../record/timeline-entry.ts';
import { type Draft, update } from './draft.ts';
import type { ReceivedMoney } from './event.ts';

/** Moves the parts of a payment to their open invoices, and the rest to the credit of the client. Either can be negative. */
export function receiveMoney(draft: Draft & ReceivedMoney): void {
  const { next, parts, creditMinor, payment } = draft;
  for (const { n, amountMinor } of parts) {
    const open = next.openInvoices.find((invoice) => invoice.n === n);
    if (open === undefined) continue;
    const receivedMinor = (open.receivedMinor ?? 0) + amountMinor;
    next.openInvoices = next.openInvoices.map((invoice) =>
      invoice.n === n ? { ...invoice, receivedMinor } : invoice,
    );
    update(draft, { n, receivedMinor });
  }
  if (creditMinor !== 0) draft.credits.push({ currency: payment.currency, amountMinor: creditMinor });
  endProcessing(draft);
}

/** Nothing waits for a payment any more that has arrived or failed. */
export function endProcessing({ next, payment }: Draft & { readonly payment: PaymentOfEvent }): void {
  next.processing = next.processing.filter(({ paymentId }) => paymentId !== payment.paymentId);
}
