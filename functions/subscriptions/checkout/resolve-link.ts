import { ApiError } from '../../shared/contract/errors.ts';
import { redirectReply, withErrorPages } from '../../shared/html/page.ts';
import type { LambdaHandler } from '../../shared/lambda/endpoint.ts';
import { invoiceIdOf } from './link.ts';
import { checkoutFrame, problemPage } from './pages.ts';
import { checkoutStore, type PayableInvoice } from './store.ts';

export const linkDeps = { invoiceIdOf, store: checkoutStore };

/**
 * What a link is for.
 * @throws ApiError `not_found`, the same for a link of somebody's own making, a missing invoice, and one that is not
 * paid on a page.
 */
export async function invoiceForToken(
  token: string,
  { invoiceIdOf, store }: typeof linkDeps,
): Promise<PayableInvoice> {
  const invoiceId = await invoiceIdOf(token);
  const bill = invoiceId === undefined ? undefined : await store.getPayable(invoiceId);
  if (bill === undefined || bill.invoice.gateway === 'none') throw new ApiError('not_found');
  return bill;
}

/** Where the subscriber goes afterwards; a subscription from before the gateway was on says nothing. */
export function returnReply(
  { subscription }: PayableInvoice,
  where: 'successUrl' | 'cancelUrl',
  pageUrl: string,
) {
  // Kept as it was sent; a header holds ASCII only.
  return redirectReply(new URL(subscription[where] ?? pageUrl).href);
}

/** A handler whose errors are pages, for callers who ask for pages. */
export function withPages(answer: LambdaHandler): LambdaHandler {
  return withErrorPages(answer, checkoutFrame, problemPage);
}
