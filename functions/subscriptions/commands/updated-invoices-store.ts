import type { Invoice } from '../../invoices/invoice.ts';
import { invoiceListing } from '../../invoices/listing/invoice-listing.ts';
import { invoiceStore } from '../../invoices/store.ts';
import * as keys from '../../shared/contract/keys.ts';
import type { Change } from '../machine/decide.ts';
import type { InvoiceUpdate } from '../machine/draft.ts';
import { invoiceOf, updatedInvoice } from '../machine/invoice-changes.ts';

/** The invoices that changes update: those that were read before, and the others, read concurrently. */
export async function invoicesToUpdate(
  changes: readonly Change[],
  read: readonly Invoice[],
): Promise<Invoice[]> {
  const invoices = await Promise.all(
    changes.flatMap(({ next, updated }) =>
      updated.map(
        async (update) => invoiceOf(next, update, read) ?? invoiceStore.get(next.subscriptionId, update.n),
      ),
    ),
  );
  return invoices.filter((invoice) => invoice !== undefined);
}

/** The update of an invoice, on the condition that it is as it was read: every update is an event. */
export function invoiceUpdate(update: InvoiceUpdate, read: Invoice, change: Pick<Change, 'next' | 'books'>) {
  const { n, ...fields } = update;
  const updated = updatedInvoice(read, update, change);
  const { settled, postings, datesAtIssue, eventCount } = updated;
  const next = { ...fields, settled, postings, datesAtIssue, ...invoiceListing(updated), eventCount };
  const set = Object.entries(next).filter(([, value]) => value !== undefined);
  const removed = settled === undefined && read.settled !== undefined ? ' REMOVE settled' : '';
  return {
    Key: keys.invoice(read.subscriptionId, n),
    UpdateExpression: `SET ${set.map((_, i) => `#field${i} = :value${i}`).join(', ')}${removed}`,
    ConditionExpression: 'eventCount = :read',
    ExpressionAttributeNames: Object.fromEntries(set.map(([name], i) => [`#field${i}`, name])),
    ExpressionAttributeValues: {
      ...Object.fromEntries(set.map(([, value], i) => [`:value${i}`, value])),
      ':read': read.eventCount,
    },
  };
}
