import type { Input, Reply } from '../shared/contract/route.ts';
import { redirectReply } from '../shared/html/page.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { nowMs } from '../shared/runtime/clock.ts';
import { recordProblem } from '../shared/runtime/log.ts';
import {
  checkoutFrame,
  paidPage,
  payPage,
  refusedPage,
  unavailablePage,
  underWayPage,
  unpayablePage,
} from './checkout/pages.ts';
import { payabilityOf } from './checkout/payability.ts';
import { invoiceForToken, linkDeps, withPages } from './checkout/resolve-link.ts';
import type { PayableInvoice } from './checkout/store.ts';
import { routes } from './routes.ts';
import { stripeKeys } from './stripe/keys.ts';
import { openCheckout } from './stripe/open-session.ts';
import { checkoutSessions, StripeRefusal } from './stripe/sessions.ts';

/** When to try again while Stripe does not answer. */
const retryAfterSeconds = 60;

const checkoutDeps = () => ({ ...linkDeps, stripeKeys, checkoutSessions, nowMs });
type Deps = ReturnType<typeof checkoutDeps>;

/** Shows what there is to pay, or leads to Stripe; what can be paid no more is said in either case. */
export async function showCheckout(
  { params: { token }, baseUrl }: Input<(typeof routes)['checkout-show']>,
  deps: Deps,
): Promise<Reply> {
  const bill = await invoiceForToken(token, deps);
  const atMs = deps.nowMs();
  const standing = payabilityOf(bill, atMs);
  const { invoice, subscription } = bill;
  const isSandbox = invoice.gateway === 'sandbox';
  if (standing === 'paid') {
    return checkoutFrame.reply(200, paidPage(bill, isSandbox && invoice.paymentId !== undefined));
  }
  if (standing !== 'payable') return checkoutFrame.reply(200, unpayablePage(bill, standing));
  if (isSandbox) {
    const { successUrl, cancelUrl } = subscription;
    const redirectUris = [successUrl, cancelUrl].filter((url) => url !== undefined);
    return checkoutFrame.reply(200, payPage(bill), { redirectUris });
  }
  return atStripe(bill, deps, { atMs, returnTo: `${baseUrl}/checkout/${token}` });
}

async function atStripe(
  bill: PayableInvoice,
  { store, stripeKeys, checkoutSessions }: Deps,
  { atMs, returnTo }: { atMs: number; returnTo: string },
): Promise<Reply> {
  try {
    const keys = await stripeKeys(bill.invoice.applicationId, atMs);
    if (keys === undefined) throw new Error('The application has no Stripe keys');
    const checkout = await openCheckout(bill, { sessions: checkoutSessions(keys), store, returnTo, atMs });
    if (checkout.state === 'open') return redirectReply(checkout.url);
    const page = checkout.state === 'under_way' ? underWayPage(bill) : unpayablePage(bill, 'closed');
    return checkoutFrame.reply(200, page);
  } catch (error) {
    if (error instanceof StripeRefusal) {
      recordProblem('Stripe refused a checkout', error);
      return checkoutFrame.reply(422, refusedPage(bill));
    }
    recordProblem('Stripe could not be asked for a checkout', error);
    return checkoutFrame.reply(503, unavailablePage(bill), { retryAfterSeconds });
  }
}

export const handler = withPages(endpoint(routes['checkout-show'], showCheckout, checkoutDeps));
