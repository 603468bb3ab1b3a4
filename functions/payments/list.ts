import type * as z from 'zod/mini';
import { paymentPage } from '../ledger/payment-page.ts';
import type { OnePayment } from '../ledger/payment-schema.ts';
import { toPaymentResponse } from '../ledger/present-payment.ts';
import { sellerCaller } from '../shared/auth/bearer.ts';
import { endpoint, type Input, type Reply } from '../shared/lambda/endpoint.ts';
import { amountCell, type Columns, listReply } from '../shared/lists/csv.ts';
import { listRoute } from './contracts/payments.ts';

type ListedPayment = z.output<typeof OnePayment>['payment'];

/** A payment as a row of CSV. The invoices that it paid are in one cell. */
const paymentColumns: Columns<ListedPayment> = {
  id: ({ _id }) => _id,
  status: ({ status }) => status,
  valueDate: ({ valueDate }) => valueDate,
  amount: ({ amount, currency }) => amountCell(amount, currency),
  currency: ({ currency }) => currency,
  applied: ({ applied, currency }) =>
    amountCell(
      applied.reduce((total, part) => total + part.amount, 0),
      currency,
    ),
  credited: ({ credited, currency }) => amountCell(credited, currency),
  returned: ({ returned, currency }) => amountCell(returned, currency),
  waiting: ({ waiting, currency }) => amountCell(waiting, currency),
  invoices: ({ applied }) => applied.map(({ number }) => number).join('; '),
  method: ({ method }) => method,
  source: ({ source }) => source,
  sourceId: ({ sourceId }) => sourceId,
  reference: ({ reference }) => reference,
  payer: ({ payer }) => payer?.name,
  externalId: ({ externalId }) => externalId,
  subscriptionId: ({ subscriptionId }) => subscriptionId,
  unappliedReason: ({ unappliedReason }) => unappliedReason,
  recordedAt: ({ recordedAt }) => recordedAt,
};

export async function listPayments(request: Input<typeof listRoute>): Promise<Reply> {
  const { query, caller } = request;
  const page = await paymentPage(caller.applicationId, query, toPaymentResponse);
  return listReply(request, listRoute, 'payments', page, paymentColumns);
}

export const handler = endpoint(listRoute, listPayments, sellerCaller);
