import { sellerCaller } from '../shared/auth/bearer.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { route } from './contracts/apply.ts';
import { toPaymentResponse } from './record/present.ts';
import { type PaymentTarget, payments } from './settle/payments.ts';

const applyDeps = () => ({ payments });

/** Applies what waits of a payment to an invoice, or to what is open of a subscription. */
export async function applyPayment(
  { params: { id }, body: { invoiceId, subscriptionId = '' }, caller, rateLimitPassed }: Input<typeof route>,
  { payments }: ReturnType<typeof applyDeps>,
): Promise<Output<typeof route>> {
  await rateLimitPassed;
  const { applicationId } = caller;
  const target: PaymentTarget = invoiceId === undefined ? { subscriptionId } : { invoiceId };
  const { payment } = await payments.apply({ applicationId, paymentId: id, by: 'application' }, target);
  return { payment: toPaymentResponse(payment) };
}

export const handler = endpoint(route, applyPayment, applyDeps, sellerCaller);
