import * as z from 'zod/mini';
import { paymentStatuses } from '../../ledger/payment.ts';
import { OnePayment } from '../../ledger/payment-schema.ts';
import { defineRoute } from '../../shared/contract/route.ts';
import { indexes, listRoute, nextCursor, pagesDescription } from '../../shared/lists/list-route.ts';
import {
  externalIdField,
  onlyField,
  pageFields,
  periodFields,
  statusField,
} from '../../shared/lists/requests.ts';

const PaymentListQuery = z.object({
  status: statusField(paymentStatuses),
  unapplied: onlyField('`true`: only payments of which something waits for a decision.'),
  externalId: externalIdField('Only the payments of this client. Pages can be shorter: see the description.'),
  ...periodFields('the time at which they were recorded'),
  ...pageFields,
});

const PaymentList = z.object({
  payments: z.array(OnePayment.shape.payment),
  nextCursor,
});

export const route = defineRoute({
  ...listRoute,
  path: '/api/v1/payments',
  alsoAt: '/payments',
  summary: 'Lists the payments of the application.',
  description: `\
Payments are sorted by the time at which they were recorded, newest first.

${pagesDescription}`,
  query: PaymentListQuery,
  response: PaymentList,
  grants: { table: { APP: ['GetItem'], PAYMENT: ['BatchGetItem'] }, indexes },
});
