import { ApiError } from '../shared/contract/errors.ts';
import type { Input, Reply } from '../shared/contract/route.ts';
import { redirectReply } from '../shared/html/page.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { nowMs } from '../shared/runtime/clock.ts';
import { checkoutFrame, unappliedPage, unpayablePage } from './checkout/pages.ts';
import { payabilityOf } from './checkout/payability.ts';
import { invoiceForToken, linkDeps, returnReply, withPages } from './checkout/resolve-link.ts';
import { nextPaymentId } from './checkout/sandbox.ts';
import type { PayableInvoice } from './checkout/store.ts';
import { settlement } from './engine/settlement.ts';
import { routes } from './routes.ts';

const chooseDeps = () => ({ ...linkDeps, settlement, nowMs });
type Deps = ReturnType<typeof chooseDeps>;

/** What the sandbox does in place of a gateway: reports a payment, or that it was taken back. */
export async function choose(
  { params: { token }, body: { action }, baseUrl }: Input<(typeof routes)['checkout-submit']>,
  deps: Deps,
): Promise<Reply> {
  const bill = await invoiceForToken(token, deps);
  // Elsewhere nobody can say that he paid.
  if (bill.invoice.gateway !== 'sandbox') throw new ApiError('not_found');
  const pageUrl = `${baseUrl}/checkout/${token}`;
  return actions[action](bill, pageUrl, deps);
}

const actions = { pay, cancel, reverse };

async function pay(bill: PayableInvoice, pageUrl: string, { settlement, nowMs }: Deps): Promise<Reply> {
  const { applicationId, invoiceId, totalMinor, currency } = bill.invoice;
  const standing = payabilityOf(bill, nowMs());
  if (standing === 'paid') return returnReply(bill, 'successUrl', pageUrl);
  if (standing !== 'payable') return checkoutFrame.reply(409, unpayablePage(bill, standing));
  const paymentId = nextPaymentId(bill.invoice);
  const outcome = await settlement.recordPayment({
    applicationId,
    invoiceId,
    paymentId,
    eventId: paymentId,
    amountMinor: totalMinor,
    currency,
  });
  if (outcome === 'unknown') throw new ApiError('not_found');
  if (outcome === 'unapplied') return checkoutFrame.reply(409, unappliedPage(bill));
  return returnReply(bill, 'successUrl', pageUrl);
}

function cancel(bill: PayableInvoice, pageUrl: string): Reply {
  return returnReply(bill, 'cancelUrl', pageUrl);
}

async function reverse({ invoice }: PayableInvoice, pageUrl: string, { settlement }: Deps): Promise<Reply> {
  const { applicationId, status, paymentId } = invoice;
  if (status === 'paid' && paymentId !== undefined) {
    await settlement.recordReversal({ applicationId, paymentId, eventId: `${paymentId}-reversed` });
  }
  return redirectReply(pageUrl);
}

export const handler = withPages(endpoint(routes['checkout-submit'], choose, chooseDeps));
