import { dueMinor } from '../invoices/due.ts';
import type { Invoice } from '../invoices/invoice.ts';
import { readInvoice } from '../invoices/store.ts';
import { indexedPage } from '../shared/lists/indexed-list.ts';
import type { ListPage, PageRequest } from '../shared/lists/list-page.ts';
import { ofApplication } from '../shared/lists/partitions.ts';
import { optionalIsoTime } from '../shared/runtime/clock.ts';
import { type DueFacts, outstandingMinor, statusesSince } from './receivables.ts';
import type { Receivable } from './receivables-schemas.ts';

/**
 * A page of the invoices of which something is outstanding, newest first.
 *
 * @param time `atMs`: undefined for now.
 * @throws ApiError `invalid_request` when the cursor does not belong to this list.
 */
export function receivablesPage(
  applicationId: string,
  { atMs, nowMs }: { atMs: number | undefined; nowMs: number },
  page: PageRequest,
): Promise<ListPage<Receivable>> {
  const factsOf = (invoice: Invoice) => ({
    ...invoice,
    settledMinor: invoice.totalMinor - dueMinor(invoice),
  });
  const toRow = (invoice: Invoice): Receivable => ({
    invoice,
    outstandingMinor: outstandingMinor(factsOf(invoice), invoice.status, atMs),
    atMs: atMs ?? nowMs,
  });
  return indexedPage(
    {
      source: ofApplication({ applicationId }, 'invoice', statusesSince(atMs)),
      filters: ['receivable'],
      passes: (facts: DueFacts, status) => outstandingMinor(facts, status, atMs) !== 0,
      read: readInvoice,
      belongs: (invoice) => toRow(invoice).outstandingMinor !== 0,
      toResponse: toRow,
    },
    Object.assign({ to: optionalIsoTime(atMs) }, page),
  );
}
