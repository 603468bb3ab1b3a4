import type { LambdaHandler } from '../shared/endpoint.ts';
import { ApiError } from '../shared/errors.ts';
import { redirectReply, withErrorPages } from '../shared/page.ts';
import { invoiceIdOf } from './checkout-link.ts';
import { checkoutFrame, problemPage } from './checkout-page.ts';
import { type Bill, checkoutStore } from './checkout-store.ts';

export const linkDeps = { invoiceIdOf, store: checkoutStore };

/**
 * What a link is for.
 * @throws ApiError `not_found`, the same for a link of somebody's own making, a missing invoice, and one that is not
 * paid on a page.
 */
export async function linkedBill(token: string, { invoiceIdOf, store }: typeof linkDeps): Promise<Bill> {
  const invoiceId = await invoiceIdOf(token);
  const bill = invoiceId === undefined ? undefined : await store.bill(invoiceId);
  if (bill === undefined || bill.invoice.gateway === 'none') throw new ApiError('not_found');
  return bill;
}

/** Where the subscriber goes afterwards; a subscription from before the gateway was on says nothing. */
export function returnReply({ subscription }: Bill, where: 'successUrl' | 'cancelUrl', pageUrl: string) {
  // Kept as it was sent; a header holds ASCII only.
  return redirectReply(new URL(subscription[where] ?? pageUrl).href);
}

/** A handler whose errors are pages, for callers who ask for pages. */
export function withPages(answer: LambdaHandler): LambdaHandler {
  return withErrorPages(answer, checkoutFrame, problemPage);
}
