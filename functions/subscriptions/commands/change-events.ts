import type { Invoice } from '../../invoices/invoice.ts';
import { toCreditNoteResponse, toInvoiceResponse } from '../../invoices/present.ts';
import type { NewEvent } from '../../shared/events/events-write.ts';
import type { Change } from '../machine/decide.ts';
import { eventOfUpdate, eventsOfIssued, invoiceOf, updatedInvoice } from '../machine/invoice-changes.ts';
import { toSubscriptionResponse } from '../present/subscription.ts';

/**
 * The events of a change: of the subscription, then of its invoices. Each shows its object as the change leaves it, in the
 * form in which the API returns it.
 *
 * @param invoices as read, among them all that the change updates.
 */
export function eventsOf(change: Change, invoices: readonly Invoice[]): NewEvent[] {
  const { announced, next, issued, updated, creditNotes } = change;
  const { updatedAtMs, eventCount } = next;
  const first = eventCount - announced.length + 1;
  const events: NewEvent[] = [
    ...announced.map((name, i) => ({
      type: `subscription.${name}`,
      sequence: first + i,
      data: toSubscriptionResponse(next, updatedAtMs),
    })),
    ...issued.flatMap((invoice) =>
      eventsOfIssued(invoice).map((name, i) => invoiceEvent(name, invoice, i + 1)),
    ),
    ...updated.flatMap((update) => {
      const read = invoiceOf(next, update, invoices);
      if (read === undefined) return [];
      const invoice = updatedInvoice(read, update, change);
      return invoiceEvent(eventOfUpdate(change.event, update), invoice, invoice.eventCount);
    }),
    ...creditNotes.map((creditNote) => ({
      type: 'credit_note.issued',
      // A credit note does not change.
      sequence: 1,
      data: toCreditNoteResponse(creditNote),
    })),
  ];
  return events.map((event) => ({ ...event, subscriptionId: next.subscriptionId }));
}

const invoiceEvent = (name: string, invoice: Invoice, sequence: number): NewEvent => ({
  type: `invoice.${name}`,
  sequence,
  data: toInvoiceResponse(invoice),
});
