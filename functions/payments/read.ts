import { paymentStore } from '../ledger/payment-store.ts';
import { toPaymentResponse } from '../ledger/present-payment.ts';
import { sellerCaller } from '../shared/auth/bearer.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { route } from './contracts/read.ts';

export async function readPayment({
  params: { id },
  caller,
}: Input<typeof route>): Promise<Output<typeof route>> {
  const payment = await paymentStore.get(caller.applicationId, id);
  if (payment === undefined) throw new ApiError('not_found');
  return { payment: toPaymentResponse(payment) };
}

export const handler = endpoint(route, readPayment, sellerCaller);
