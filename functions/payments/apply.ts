import { toPaymentResponse } from '../ledger/present-payment.ts';
import { actionWrites } from '../shared/audit/write.ts';
import { sellerCaller } from '../shared/auth/bearer.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { route } from './contracts/apply.ts';
import type { PaymentTarget } from './settle/incoming-payment.ts';
import { applyUnapplied } from './settle/unapplied.ts';

/** Applies what waits of a payment to an invoice, or to what is open of a subscription. */
export async function applyPayment({
  params: { id },
  body: { invoiceId, subscriptionId = '' },
  caller,
  rateLimitPassed,
}: Input<typeof route>): Promise<Output<typeof route>> {
  await rateLimitPassed;
  const { applicationId } = caller;
  const target: PaymentTarget = invoiceId === undefined ? { subscriptionId } : { invoiceId };
  const audit = actionWrites(caller, { action: 'payment.applied', id });
  const move = { applicationId, paymentId: id, by: 'application', audit } as const;
  const { payment } = await applyUnapplied(move, target);
  return { payment: toPaymentResponse(payment) };
}

export const handler = endpoint(route, applyPayment, sellerCaller);
