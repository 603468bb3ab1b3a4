import { sellerCaller } from '../shared/auth/bearer.ts';
import type { Input, Reply } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { listPage } from '../shared/lists/list-page.ts';
import { listedStore } from '../shared/lists/listed-store.ts';
import { listReply } from '../shared/lists/replies.ts';
import { placesOf, statusesIn } from '../shared/lists/requests.ts';
import { clock } from '../shared/runtime/clock.ts';
import { InvoiceList, route } from './contracts/list.ts';
import { type Invoice, invoiceStatuses } from './invoice.ts';
import type { InvoiceFacts } from './invoice-listing.ts';
import { invoiceColumns, toListedInvoice } from './list-schema.ts';

/** Lists the invoices of the application, newest first. */
export async function listInvoices({
  query,
  headers,
  baseUrl,
  caller: { applicationId },
}: Input<typeof route>): Promise<Reply> {
  const { overdue, externalId, planId } = query;
  const { from, to } = placesOf(query);
  const named = statusesIn(query.status, invoiceStatuses);
  const statuses = overdue === undefined ? named : named.filter((status) => status === 'open');
  const nowMs = clock.nowMs();
  const matches = (facts: Pick<InvoiceFacts, 'externalId' | 'planId' | 'dueAtMs'>) =>
    (overdue === undefined || facts.dueAtMs < nowMs) &&
    (externalId === undefined || facts.externalId === externalId) &&
    (planId === undefined || facts.planId === planId);
  const { items: invoices, ...rest } = await listPage(
    {
      applicationId,
      kind: 'invoice',
      statuses,
      filters: [overdue ?? '', externalId ?? '', planId ?? '', from ?? '', to ?? ''],
      from,
      to,
      passes: matches,
      belongs: (invoice: Invoice) =>
        statuses.includes(invoice.status) && matches({ ...invoice, planId: invoice.plan.planId }),
      toResponse: toListedInvoice,
    },
    query,
    listedStore,
  );
  return listReply(
    { accept: headers.accept, baseUrl, path: route.path, query },
    InvoiceList,
    { invoices, ...rest },
    { columns: invoiceColumns, rows: invoices },
  );
}

export const handler = endpoint(route, listInvoices, sellerCaller);
