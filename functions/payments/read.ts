import { paymentStore } from '../ledger/payment-store.ts';
import { toPaymentResponse } from '../ledger/present-payment.ts';
import { sellerCaller } from '../shared/auth/bearer.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Handler } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { route } from './contracts/read.ts';

export const readPayment: Handler<typeof route> = async ({ params: { id }, caller }) => {
  const payment = await paymentStore.get(caller.applicationId, id);
  if (payment === undefined) throw new ApiError('not_found');
  return { payment: toPaymentResponse(payment) };
};

export const handler = endpoint(route, readPayment, sellerCaller);
