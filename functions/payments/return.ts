import { toPaymentResponse } from '../ledger/present-payment.ts';
import { actionWrites } from '../shared/audit/write.ts';
import { sellerCaller } from '../shared/auth/bearer.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { route } from './contracts/return.ts';
import { recordReturn } from './settle/unapplied.ts';

/** Records that the seller sent a payment back. It moves no money: the seller does that at their bank. */
export async function returnPayment({
  params: { id },
  body,
  caller,
  rateLimitPassed,
}: Input<typeof route>): Promise<Output<typeof route>> {
  await rateLimitPassed;
  const { applicationId } = caller;
  const { reason } = body ?? {};
  const audit = actionWrites(caller, { action: 'payment.returned', id, reason });
  const move = { applicationId, paymentId: id, by: 'application', audit } as const;
  const { payment } = await recordReturn(move, reason);
  return { payment: toPaymentResponse(payment) };
}

export const handler = endpoint(route, returnPayment, sellerCaller);
