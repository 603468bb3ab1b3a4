import { nowMs } from '../shared/clock.ts';
import type { Input, Reply } from '../shared/contract.ts';
import { endpoint } from '../shared/endpoint.ts';
import { ApiError } from '../shared/errors.ts';
import { redirectReply } from '../shared/page.ts';
import { linkDeps, linkedBill, returnReply, withPages } from './checkout-found.ts';
import { checkoutFrame, unappliedPage, unpayablePage } from './checkout-page.ts';
import { standingOf } from './checkout-state.ts';
import type { Bill } from './checkout-store.ts';
import { routes } from './routes.ts';
import { nextPaymentId } from './sandbox.ts';
import { settlement } from './settle.ts';

const chooseDeps = () => ({ ...linkDeps, settlement, nowMs });
type Deps = ReturnType<typeof chooseDeps>;

/** What the sandbox does in place of a gateway: reports a payment, or that it was taken back. */
export async function choose(
  { params: { token }, body: { action }, baseUrl }: Input<(typeof routes)['checkout-choose']>,
  deps: Deps,
): Promise<Reply> {
  const bill = await linkedBill(token, deps);
  // Elsewhere nobody can say that he paid.
  if (bill.invoice.gateway !== 'sandbox') throw new ApiError('not_found');
  const pageUrl = `${baseUrl}/checkout/${token}`;
  return actions[action](bill, pageUrl, deps);
}

const actions = { pay, cancel, reverse };

async function pay(bill: Bill, pageUrl: string, { settlement, nowMs }: Deps): Promise<Reply> {
  const { applicationId, invoiceId, totalMinor, currency } = bill.invoice;
  const standing = standingOf(bill, nowMs());
  if (standing === 'paid') return returnReply(bill, 'successUrl', pageUrl);
  if (standing !== 'payable') return checkoutFrame.reply(409, unpayablePage(bill, standing));
  const paymentId = nextPaymentId(bill.invoice);
  const outcome = await settlement.settle({
    ...{ applicationId, invoiceId, paymentId, eventId: paymentId, amountMinor: totalMinor, currency },
  });
  if (outcome === 'unknown') throw new ApiError('not_found');
  if (outcome === 'unapplied') return checkoutFrame.reply(409, unappliedPage(bill));
  return returnReply(bill, 'successUrl', pageUrl);
}

function cancel(bill: Bill, pageUrl: string): Reply {
  return returnReply(bill, 'cancelUrl', pageUrl);
}

async function reverse({ invoice }: Bill, pageUrl: string, { settlement }: Deps): Promise<Reply> {
  const { applicationId, status, paymentId } = invoice;
  if (status === 'paid' && paymentId !== undefined) {
    await settlement.reverse({ applicationId, paymentId, eventId: `${paymentId}-reversed` });
  }
  return redirectReply(pageUrl);
}

export const handler = withPages(endpoint(routes['checkout-choose'], choose, chooseDeps));
