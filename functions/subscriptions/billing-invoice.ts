import { ApiError } from '../shared/contract/errors.ts';
import { type Input, Reply } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { isId } from '../shared/runtime/ids.ts';
import { billingRoutes as routes } from './api/billing-routes.ts';
import { withBillingErrorPages } from './billing/frame.ts';
import { linkDeps, resolveAccount, resolveLink } from './billing/resolve-link.ts';
import { invoicePage, invoicePageHeaders } from './invoices/html.ts';
import { invoicePdf } from './invoices/pdf.ts';

/**
 * API Gateway decodes a binary body only when the first type of `Accept` is one of its binary types; other callers would get
 * Base64. https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-payload-encodings-workflow.html
 */
const bytesAccepted = /^\s*(?:application\/pdf|text\/html)\s*(?:[,;]|$)/i;

/** An invoice of the subscription that the link is for, as PDF. Those of other subscriptions do not exist here. */
export async function billingInvoice(
  { params: { token, invoiceId }, headers }: Input<(typeof routes)['billing-invoice']>,
  deps: typeof linkDeps,
): Promise<Reply> {
  const { owner, isOld } = await resolveLink(token, deps);
  if (isOld || !isId('inv', invoiceId)) throw new ApiError('not_found');
  const [invoice] = await Promise.all([
    deps.store.getInvoiceOf(owner.subscriptionId, invoiceId),
    resolveAccount(owner, deps),
  ]);
  if (invoice === undefined) throw new ApiError('not_found');
  const inline = (extension: string) => ({
    'content-disposition': `inline; filename="${invoice.number}.${extension}"`,
    'referrer-policy': 'no-referrer',
    vary: 'accept',
  });
  if (!bytesAccepted.test(headers.accept ?? '')) {
    const body = invoicePage(invoice);
    return new Reply(200, { headers: { ...invoicePageHeaders, ...inline('html') }, body });
  }
  return new Reply(200, {
    headers: { 'content-type': 'application/pdf', ...inline('pdf') },
    body: await invoicePdf(invoice),
  });
}

export const handler = withBillingErrorPages(
  endpoint(routes['billing-invoice'], billingInvoice, () => linkDeps),
);
