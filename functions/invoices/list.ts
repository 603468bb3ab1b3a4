import { sellerCaller } from '../shared/auth/bearer.ts';
import { endpoint, type Input, type Reply } from '../shared/lambda/endpoint.ts';
import { listReply } from '../shared/lists/csv.ts';
import { indexedPage } from '../shared/lists/indexed-list.ts';
import { ofApplication } from '../shared/lists/partitions.ts';
import { statusesIn } from '../shared/lists/requests.ts';
import { clock } from '../shared/runtime/clock.ts';
import { type Invoice, invoiceStatuses } from './invoice.ts';
import type { InvoiceFacts } from './listing/invoice-listing.ts';
import { invoiceColumns, toListedInvoice } from './listing/list-schema.ts';
import { listRoute } from './routes.ts';
import { readInvoice } from './store.ts';

export async function listInvoices(request: Input<typeof listRoute>): Promise<Reply> {
  const { query, caller } = request;
  const { overdue, externalId, planId } = query;
  const named = statusesIn(query.status, invoiceStatuses);
  const statuses = overdue === undefined ? named : named.filter((status) => status === 'open');
  const nowMs = clock.nowMs();
  const matches = (facts: Pick<InvoiceFacts, 'externalId' | 'planId' | 'dueAtMs'>) =>
    (overdue === undefined || facts.dueAtMs < nowMs) &&
    (externalId === undefined || facts.externalId === externalId) &&
    (planId === undefined || facts.planId === planId);
  const page = await indexedPage(
    {
      source: ofApplication(caller, 'invoice', statuses),
      filters: [overdue, externalId, planId],
      passes: matches,
      read: readInvoice,
      belongs: (invoice: Invoice) =>
        statuses.includes(invoice.status) && matches({ ...invoice, planId: invoice.plan.planId }),
      toResponse: toListedInvoice,
    },
    query,
  );
  return listReply(request, listRoute, 'invoices', page, invoiceColumns);
}

export const handler = endpoint(listRoute, listInvoices, sellerCaller);
