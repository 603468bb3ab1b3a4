import { acceptsHtml, redirectReply } from '../shared/html/page.ts';
import { ApiError, endpoint, type Handler, type Reply } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import * as env from '../shared/runtime/env.ts';
import { recordProblem } from '../shared/runtime/log.ts';
import { isSandboxAvailable } from '../subscriptions/record/policy.ts';
import {
  checkoutFrame,
  noGatewayPage,
  paidPage,
  payReply,
  refusedPage,
  unavailablePage,
  underWayPage,
  unpayablePage,
} from './checkout/pages.ts';
import { payabilityOf } from './checkout/payability.ts';
import { invoiceForToken, withPages } from './checkout/resolve-link.ts';
import { sandboxPaymentOf } from './checkout/sandbox.ts';
import { checkoutStore, type PayableInvoice } from './checkout/store.ts';
import { checkoutShowRoute } from './contracts/checkout.ts';
import { stripeKeys } from './stripe/keys.ts';
import { openCheckout } from './stripe/open-session.ts';
import { checkoutSessions, StripeRefusal } from './stripe/sessions.ts';

/** The `Retry-After` header while Stripe does not respond. */
const retryAfterSeconds = 60;

/**
 * Shows the payment page of the sandbox, or redirects to Stripe: whichever is the gateway of the application now. If the
 * invoice cannot be paid, the page says why.
 */
export const showCheckout: Handler<typeof checkoutShowRoute, Reply> = async ({
  params: { token },
  headers,
  baseUrl,
}) => {
  const payable = await invoiceForToken(token);
  const nowMs = clock.nowMs();
  const payability = payabilityOf(payable, nowMs);
  const { invoice } = payable;
  const isSandbox = isSandboxAvailable(payable.gateway, env.sandboxGateway());
  const isBrowser = acceptsHtml(headers.accept);
  if (payability === 'paid') {
    return checkoutFrame.reply(200, paidPage(payable, isSandbox && sandboxPaymentOf(invoice) !== undefined));
  }
  if (payability !== 'payable') return checkoutFrame.reply(200, unpayablePage(payable, payability));
  if (isSandbox) return payReply(payable);
  if (payable.gateway !== 'stripe') {
    if (isBrowser) return checkoutFrame.reply(409, noGatewayPage(payable));
    const problem =
      payable.gateway === 'none'
        ? 'is none: invoices are paid by bank transfer'
        : 'is sandbox, which is off in this deployment';
    throw new ApiError('conflict', { details: { paymentGateway: problem } });
  }
  return redirectToStripe(payable, { nowMs, returnTo: `${baseUrl}/checkout/${token}`, isBrowser });
};

async function redirectToStripe(
  payable: PayableInvoice,
  { nowMs, returnTo, isBrowser }: { nowMs: number; returnTo: string; isBrowser: boolean },
): Promise<Reply> {
  try {
    const keys = await stripeKeys(payable.invoice.applicationId, nowMs);
    if (keys === undefined) throw new Error('The application has no Stripe keys');
    const checkout = await openCheckout(payable, {
      sessions: checkoutSessions(keys),
      store: checkoutStore,
      returnTo,
      nowMs,
    });
    if (checkout.state === 'open') return redirectReply(checkout.url);
    const page = checkout.state === 'under_way' ? underWayPage(payable) : unpayablePage(payable, 'closed');
    return checkoutFrame.reply(200, page);
  } catch (error) {
    if (error instanceof StripeRefusal) {
      recordProblem('Stripe refused a checkout', error);
      return checkoutFrame.reply(422, refusedPage(payable));
    }
    if (!isBrowser) throw new ApiError('checkout_unavailable', { retryAfterSeconds, cause: error });
    recordProblem('Stripe did not open a checkout', error);
    return checkoutFrame.reply(503, unavailablePage(payable), { retryAfterSeconds });
  }
}

export const handler = withPages(endpoint(checkoutShowRoute, showCheckout));
