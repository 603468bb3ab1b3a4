import { invoicePageReply, invoicePdfReply } from '../invoices/document/replies.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Input, Reply } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { isId } from '../shared/runtime/ids.ts';
import { route } from './contracts/invoice.ts';
import { withBillingErrorPages } from './pages/frame.ts';
import { resolveAccount, resolveLink } from './pages/resolve-link.ts';
import { billingStore } from './pages/store.ts';

/** Both are binary types of the API (`lib/deployment/gateway/binary-types.ts`): `text/html` is the first type that browsers accept by a link. */
const bytesAccepted = /^\s*(?:application\/pdf|text\/html)\s*(?:[,;]|$)/i;

/** An invoice of the subscription that the link is for, as PDF. Those of other subscriptions do not exist here. */
export async function billingInvoice({
  params: { token, invoiceId },
  headers,
}: Input<typeof route>): Promise<Reply> {
  const { owner, isOld } = await resolveLink(token);
  if (isOld || !isId('inv', invoiceId)) throw new ApiError('not_found');
  const [invoice] = await Promise.all([
    billingStore.getInvoiceOf(owner.subscriptionId, invoiceId),
    resolveAccount(owner),
  ]);
  if (invoice === undefined) throw new ApiError('not_found');
  const reply = bytesAccepted.test(headers.accept ?? '') ? invoicePdfReply : invoicePageReply;
  return reply(invoice, { 'referrer-policy': 'no-referrer' });
}

export const handler = withBillingErrorPages(endpoint(route, billingInvoice));
