import { paymentStore } from '../ledger/payment-store.ts';
import { toPaymentResponse } from '../ledger/present-payment.ts';
import { sellerCaller } from '../shared/auth/bearer.ts';
import { endpoint, found, type Handler } from '../shared/lambda/endpoint.ts';
import { readRoute } from './contracts/payments.ts';

export const readPayment: Handler<typeof readRoute> = async ({ params: { id }, caller }) => {
  const payment = found(await paymentStore.get(caller.applicationId, id));
  return { payment: toPaymentResponse(payment) };
};

export const handler = endpoint(readRoute, readPayment, sellerCaller);
