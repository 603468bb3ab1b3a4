import { toPaymentResponse } from '../ledger/present-payment.ts';
import { sellerCaller } from '../shared/auth/bearer.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { toMinor } from '../shared/money/money.ts';
import { route } from './contracts/reallocate.ts';
import { recordReallocation } from './settle/reallocate.ts';
import { foundPayment } from './settle/unapplied.ts';

/** Moves the money of a payment to other invoices. */
export async function reallocatePayment({
  params: { id: paymentId },
  body: { invoices, reason },
  caller: { applicationId },
  rateLimitPassed,
}: Input<typeof route>): Promise<Output<typeof route>> {
  await rateLimitPassed;
  const { currency } = await foundPayment(applicationId, paymentId);
  const parts = invoices.map(({ invoiceId, amount }, i) => {
    const amountMinor = toMinor(amount, currency);
    if (amountMinor !== undefined) return { invoiceId, amountMinor };
    const details = { [`invoices[${i}].amount`]: `has more decimals than ${currency}` };
    throw new ApiError('invalid_request', { details });
  });
  const move = { applicationId, paymentId, by: 'application' } as const;
  return { payment: toPaymentResponse(await recordReallocation(move, parts, reason)) };
}

export const handler = endpoint(route, reallocatePayment, sellerCaller);
