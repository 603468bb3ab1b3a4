import { dueMinor } from '../invoices/due.ts';
import { redirectReply } from '../shared/html/page.ts';
import { ApiError, endpoint, type Handler, type Reply } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import * as env from '../shared/runtime/env.ts';
import { isSandboxAvailable } from '../subscriptions/record/policy.ts';
import {
  changedGatewayPage,
  checkoutFrame,
  payReply,
  unappliedPage,
  unpayablePage,
} from './checkout/pages.ts';
import { payabilityOf } from './checkout/payability.ts';
import { invoiceForToken, returnReply, withPages } from './checkout/resolve-link.ts';
import { nextPaymentId, sandboxPaymentOf } from './checkout/sandbox.ts';
import type { PayableInvoice } from './checkout/store.ts';
import { checkoutSubmitRoute } from './contracts/checkout.ts';
import { recordClaim } from './settle/claims.ts';
import { recordPayment } from './settle/gateway-reports.ts';

// The reports of other gateways stay out of this bundle.

export const submitCheckout: Handler<typeof checkoutSubmitRoute, Reply> = async ({
  params: { token },
  body: { action },
  baseUrl,
}) => {
  const payable = await invoiceForToken(token);
  if (!isSandboxAvailable(payable.gateway, env.sandboxGateway())) {
    // With a real gateway only its signed webhook reports payments.
    if (payable.invoice.gateway !== 'sandbox') throw new ApiError('not_found');
    return checkoutFrame.reply(409, changedGatewayPage(payable));
  }
  const pageUrl = `${baseUrl}/checkout/${token}`;
  return actions[action](payable, pageUrl);
};

const actions = { pay, decline, cancel, reverse };

async function pay(payable: PayableInvoice, pageUrl: string): Promise<Reply> {
  const { applicationId, invoiceId, currency } = payable.invoice;
  const payability = payabilityOf(payable, clock.nowMs());
  if (payability === 'paid') return returnReply(payable, 'successUrl', pageUrl);
  if (payability !== 'payable') return checkoutFrame.reply(409, unpayablePage(payable, payability));
  const paymentId = nextPaymentId(payable.invoice);
  const outcome = await recordPayment({
    applicationId,
    invoiceId,
    paymentId,
    eventId: paymentId,
    amountMinor: dueMinor(payable.invoice),
    currency,
  });
  if (outcome === 'refused') return checkoutFrame.reply(409, changedGatewayPage(payable));
  if (outcome === 'unknown') throw new ApiError('not_found');
  if (outcome === 'unapplied') return checkoutFrame.reply(409, unappliedPage(payable));
  return returnReply(payable, 'successUrl', pageUrl);
}

/** A payment that the bank refuses. Nothing is recorded, as with a declined card at a real gateway. */
function decline(payable: PayableInvoice, pageUrl: string): Reply {
  return payabilityOf(payable, clock.nowMs()) === 'payable'
    ? payReply(payable, 'declined')
    : redirectReply(pageUrl);
}

function cancel(payable: PayableInvoice, pageUrl: string): Reply {
  return returnReply(payable, 'cancelUrl', pageUrl);
}

async function reverse({ invoice }: PayableInvoice, pageUrl: string): Promise<Reply> {
  const { applicationId } = invoice;
  const paymentId = sandboxPaymentOf(invoice);
  if (paymentId !== undefined) {
    const claim = { claim: 'dispute', id: 'sandbox', amountMinor: undefined, atMs: clock.nowMs() } as const;
    await recordClaim({ applicationId, paymentId, eventId: `${paymentId}-reversed`, claim });
  }
  return redirectReply(pageUrl);
}

export const handler = withPages(endpoint(checkoutSubmitRoute, submitCheckout));
