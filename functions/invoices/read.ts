import { sellerCaller } from '../shared/auth/bearer.ts';
import { defined } from '../shared/contract/defined.ts';
import { documentType, jsonReply } from '../shared/lambda/content-negotiation.ts';
import { ApiError, endpoint, found, type Input, type Reply } from '../shared/lambda/endpoint.ts';
import { creditNoteStore } from './credit-note-store.ts';
import { documentStore } from './document/document-store.ts';
import { invoicePageReply, invoicePdfReply } from './document/replies.ts';
import type { Invoice } from './invoice.ts';
import { toInvoiceResponse } from './present.ts';
import { readRoute } from './routes.ts';
import { invoiceStore } from './store.ts';

/** An invoice in the format that the caller accepts: JSON, unless `Accept` prefers HTML or PDF. */
export async function readInvoice({ params, headers, caller }: Input<typeof readRoute>): Promise<Reply> {
  const owner = found(await invoiceStore.findOwner(caller.applicationId, params.id));
  const { subscriptionId, n } = owner;
  const document = { subscriptionId, kind: 'INVOICE', n } as const;
  /** The invoice, concurrently with what its format needs too. */
  const beside = async <T>(other: Promise<T>): Promise<[Invoice, T]> => {
    const [invoice, more] = await Promise.all([invoiceStore.get(subscriptionId, n), other]);
    if (invoice === undefined) throw new ApiError('not_found');
    return [invoice, more];
  };
  switch (documentType(headers.accept)) {
    case 'text/html':
      return invoicePageReply(...(await beside(creditNoteStore.ofInvoice(owner))));
    case 'application/pdf':
      return invoicePdfReply(...(await beside(documentStore.find(document))));
    case 'application/json': {
      const [invoice, mailed] = await beside(documentStore.hash(document));
      const body = { invoice: toInvoiceResponse(invoice), ...defined({ document: mailed }) };
      return jsonReply(readRoute.response, body);
    }
  }
}

export const handler = endpoint(readRoute, readInvoice, sellerCaller);
