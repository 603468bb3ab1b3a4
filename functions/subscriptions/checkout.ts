import { nowMs } from '../shared/clock.ts';
import type { Input, Reply } from '../shared/contract.ts';
import { endpoint } from '../shared/endpoint.ts';
import { recordProblem } from '../shared/log.ts';
import { redirectReply } from '../shared/page.ts';
import { linkDeps, linkedBill, withPages } from './checkout-found.ts';
import {
  checkoutFrame,
  paidPage,
  payPage,
  refusedPage,
  unavailablePage,
  underWayPage,
  unpayablePage,
} from './checkout-page.ts';
import { standingOf } from './checkout-state.ts';
import type { Bill } from './checkout-store.ts';
import { routes } from './routes.ts';
import { checkoutSessions, StripeRefusal } from './stripe.ts';
import { openCheckout } from './stripe-checkout.ts';
import { stripeKeys } from './stripe-keys.ts';

/** When to try again while Stripe does not answer. */
const retryAfterSeconds = 60;

const checkoutDeps = () => ({ ...linkDeps, stripeKeys, checkoutSessions, nowMs });
type Deps = ReturnType<typeof checkoutDeps>;

/** Shows what there is to pay, or leads to Stripe; what can be paid no more is said in either case. */
export async function showCheckout(
  { params: { token }, baseUrl }: Input<typeof routes.checkout>,
  deps: Deps,
): Promise<Reply> {
  const bill = await linkedBill(token, deps);
  const atMs = deps.nowMs();
  const standing = standingOf(bill, atMs);
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
  bill: Bill,
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

export const handler = withPages(endpoint(routes.checkout, showCheckout, checkoutDeps));
