import { toPaymentResponse } from '../ledger/present-payment.ts';
import { actionWrites } from '../shared/audit/write.ts';
import { sellerCaller } from '../shared/auth/bearer.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { toMinor } from '../shared/money/money.ts';
import { route } from './contracts/reverse.ts';
import { recordReversal } from './settle/claims.ts';
import { foundPayment } from './settle/unapplied.ts';

/** Records what a bank took back of a payment. */
export async function reversePayment({
  params: { id: paymentId },
  body: { amount, reason },
  caller,
  rateLimitPassed,
}: Input<typeof route>): Promise<Output<typeof route>> {
  await rateLimitPassed;
  const { applicationId } = caller;
  const reversal =
    amount === undefined
      ? undefined
      : { totalMinor: minorOf(amount, (await foundPayment(applicationId, paymentId)).currency) };
  const audit = actionWrites(caller, { action: 'payment.reversed', id: paymentId, reason });
  const move = { applicationId, paymentId, by: 'application', audit } as const;
  const { payment } = await recordReversal(move, reversal, reason);
  return { payment: toPaymentResponse(payment) };
}

function minorOf(amount: number, currency: string): number {
  const minor = toMinor(amount, currency);
  if (minor === undefined)
    throw new ApiError('invalid_request', { details: { amount: `has more decimals than ${currency}` } });
  return minor;
}

export const handler = endpoint(route, reversePayment, sellerCaller);
