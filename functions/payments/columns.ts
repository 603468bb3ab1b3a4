/** The list of payments: its requests, its records, its columns. */
import type * as z from 'zod/mini';
import type { OnePayment } from '../ledger/payment-schema.ts';
import { amountCell } from '../shared/lists/amount-text.ts';
import type { Columns } from '../shared/lists/csv.ts';

type ListedPayment = z.output<typeof OnePayment>['payment'];

/** A payment as a row of CSV. The invoices that it paid are in one cell. */
export const paymentColumns: Columns<ListedPayment> = {
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
