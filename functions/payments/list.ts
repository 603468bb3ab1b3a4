import type * as z from 'zod/mini';
import { paymentPage } from '../ledger/payment-page.ts';
import type { OnePayment } from '../ledger/payment-schema.ts';
import { toPaymentResponse } from '../ledger/present-payment.ts';
import { sellerCaller } from '../shared/auth/bearer.ts';
import { endpoint, type Input, type Reply } from '../shared/lambda/endpoint.ts';
import { amountCell, amountCells, type Columns, cells, listReply } from '../shared/lists/csv.ts';
import { listRoute } from './contracts/payments.ts';

type ListedPayment = z.output<typeof OnePayment>['payment'];

/** A payment as a row of CSV. The invoices that it paid are in one cell. */
const paymentColumns: Columns<ListedPayment> = {
  id: ({ _id }) => _id,
  ...cells('status', 'valueDate'),
  amount: ({ amount, currency }) => amountCell(amount, currency),
  currency: ({ currency }) => currency,
  applied: ({ applied, currency }) =>
    amountCell(
      applied.reduce((total, part) => total + part.amount, 0),
      currency,
    ),
  ...amountCells('credited', 'returned', 'waiting'),
  invoices: ({ applied }) => applied.map(({ number }) => number).join('; '),
  ...cells('method', 'source', 'sourceId', 'reference'),
  payer: ({ payer }) => payer?.name,
  ...cells('externalId', 'subscriptionId', 'unappliedReason', 'recordedAt'),
};

export async function listPayments(request: Input<typeof listRoute>): Promise<Reply> {
  const { query, caller } = request;
  const page = await paymentPage(caller.applicationId, query, toPaymentResponse);
  return listReply(request, listRoute, 'payments', page, paymentColumns);
}

export const handler = endpoint(listRoute, listPayments, sellerCaller);
