import { creditNoteStore } from '../invoices/credit-note-store.ts';
import { documentStore } from '../invoices/document/document-store.ts';
import { invoicePageReply, invoicePdfReply } from '../invoices/document/replies.ts';
import type { Invoice } from '../invoices/invoice.ts';
import { ApiError, endpoint, type Handler, type Reply } from '../shared/lambda/endpoint.ts';
import { isId } from '../shared/runtime/ids.ts';
import { withBillingErrorPages } from './pages/frame.ts';
import { resolveAccount, resolveLink } from './pages/resolve-link.ts';
import { billingStore } from './pages/store.ts';
import { invoiceRoute } from './routes.ts';

/** Both are binary types of the API (`lib/deployment/gateway/binary-types.ts`): `text/html` is the first type that browsers accept by a link. */
const bytesAccepted = /^\s*(?:application\/pdf|text\/html)\s*(?:[,;]|$)/i;

/** An invoice of the subscription that the link is for, as PDF. Those of other subscriptions do not exist here. */
export const billingInvoice: Handler<typeof invoiceRoute, Reply> = async ({
  params: { token, invoiceId },
  headers,
}) => {
  const { owner, isOld } = await resolveLink(token);
  if (isOld || !isId('inv', invoiceId)) throw new ApiError('not_found');
  const { subscriptionId } = owner;
  const beside = async <T>(other: (n: number) => Promise<T>): Promise<[Invoice, T]> => {
    const [found] = await Promise.all([
      billingStore.getInvoiceOf(subscriptionId, invoiceId, other),
      resolveAccount(owner),
    ]);
    if (found?.[0] === undefined) throw new ApiError('not_found');
    return [found[0], found[1]];
  };
  const bare = { 'referrer-policy': 'no-referrer' };
  if (bytesAccepted.test(headers.accept ?? '')) {
    const mailed = (n: number) => documentStore.find({ subscriptionId, kind: 'INVOICE', n });
    return invoicePdfReply(...(await beside(mailed)), bare);
  }
  const notes = (n: number) => creditNoteStore.ofInvoice({ subscriptionId, n });
  return invoicePageReply(...(await beside(notes)), bare);
};

export const handler = withBillingErrorPages(endpoint(invoiceRoute, billingInvoice));
