import { toPaymentResponse } from '../ledger/present-payment.ts';
import { actionWrites } from '../shared/audit/write.ts';
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
  caller,
  rateLimitPassed,
}: Input<typeof route>): Promise<Output<typeof route>> {
  await rateLimitPassed;
  const { applicationId } = caller;
  const { currency } = await foundPayment(applicationId, paymentId);
  const parts = invoices.map(({ invoiceId, amount }, i) => {
    const amountMinor = toMinor(amount, currency);
    if (amountMinor !== undefined) return { invoiceId, amountMinor };
    const details = { [`invoices[${i}].amount`]: `has more decimals than ${currency}` };
    throw new ApiError('invalid_request', { details });
  });
  const audit = actionWrites(caller, { action: 'payment.reallocated', id: paymentId, reason });
  const move = { applicationId, paymentId, by: 'application', audit } as const;
  return { payment: toPaymentResponse(await recordReallocation(move, parts, reason)) };
}

export const handler = endpoint(route, reallocatePayment, sellerCaller);
