import { paymentPage } from '../ledger/payment-page.ts';
import { toPaymentResponse } from '../ledger/present-payment.ts';
import { sellerCaller } from '../shared/auth/bearer.ts';
import type { Input, Reply } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { listReply } from '../shared/lists/replies.ts';
import { paymentColumns } from './columns.ts';
import { route } from './contracts/list.ts';

/** Lists the payments of the application, those recorded last first. */
export async function listPayments(request: Input<typeof route>): Promise<Reply> {
  const { query, caller } = request;
  const page = await paymentPage(caller.applicationId, query, toPaymentResponse);
  return listReply(request, route, 'payments', page, paymentColumns);
}

export const handler = endpoint(route, listPayments, sellerCaller);
