import { defineRoute } from '../../shared/contract/route.ts';
import { pagesDescription } from '../../subscriptions/lists/contract.ts';
import { PaymentList, PaymentListQuery } from '../lists/payments.ts';
import { indexes } from './common.ts';
import { listRoute } from './list-route.ts';

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
  grants: { table: { PAYMENT: ['BatchGetItem'] }, indexes },
});
