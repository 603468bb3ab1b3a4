import { apiKeyCaller } from '../shared/auth/bearer.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Input, Reply } from '../shared/contract/route.ts';
import { documentType, jsonReply } from '../shared/lambda/content-negotiation.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { route } from './contracts/read.ts';
import { invoicePageReply, invoicePdfReply } from './document/replies.ts';
import { toInvoiceResponse } from './present.ts';
import { invoiceStore } from './store.ts';

/** An invoice in the format that the caller accepts: JSON, unless `Accept` prefers HTML or PDF. */
export async function readInvoice({ params, headers, caller }: Input<typeof route>): Promise<Reply> {
  const invoice = await invoiceStore.find(caller.applicationId, params.id);
  if (invoice === undefined) throw new ApiError('not_found');
  switch (documentType(headers.accept)) {
    case 'text/html':
      return invoicePageReply(invoice);
    case 'application/pdf':
      return invoicePdfReply(invoice);
    case 'application/json':
      return jsonReply(route.response, { invoice: toInvoiceResponse(invoice) });
  }
}

export const handler = endpoint(route, readInvoice, apiKeyCaller);
