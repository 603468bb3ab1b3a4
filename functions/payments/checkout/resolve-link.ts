import { invoiceIdOf } from '../../invoices/payment-link.ts';
import { redirectReply, withErrorPages } from '../../shared/html/page.ts';
import { ApiError, type LambdaHandler } from '../../shared/lambda/endpoint.ts';
import { checkoutFrame, problemPage } from './pages.ts';
import { checkoutStore, type PayableInvoice } from './store.ts';

/**
 * The invoice that the token of a link is for, with its subscription.
 *
 * @throws ApiError `not_found`, the same for a forged link, a missing invoice, and an invoice that is paid by bank
 * transfer.
 */
export async function invoiceForToken(token: string): Promise<PayableInvoice> {
  const invoiceId = await invoiceIdOf(token);
  const payable = invoiceId === undefined ? undefined : await checkoutStore.getPayable(invoiceId);
  if (payable === undefined || payable.invoice.gateway === 'none') throw new ApiError('not_found');
  return payable;
}

/**
 * A redirect to a return URL of the subscription. One that began with a trial, or before the gateway was enabled, can have none:
 * the redirect then leads to the page itself.
 */
export function returnReply(
  { subscription }: PayableInvoice,
  where: 'successUrl' | 'cancelUrl',
  pageUrl: string,
) {
  // Stored as it was sent; a header value is ASCII only.
  return redirectReply(new URL(subscription[where] ?? pageUrl).href);
}

/** Makes a handler respond to errors with pages, for callers that accept HTML. */
export function withPages(handler: LambdaHandler): LambdaHandler {
  return withErrorPages(handler, checkoutFrame, problemPage);
}
