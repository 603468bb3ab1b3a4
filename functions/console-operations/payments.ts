import { operationsEndpoint } from '../console/operations/perform.ts';
import { applyPayment } from '../payments/apply.ts';
import { createPayment } from '../payments/create.ts';
import { payOutCredit } from '../payments/pay-out.ts';
import { reallocatePayment } from '../payments/reallocate.ts';
import { returnPayment } from '../payments/return.ts';
import { reversePayment } from '../payments/reverse.ts';
import { routes } from '../payments/routes.ts';
import { route } from './contracts/payments.ts';

export const handler = operationsEndpoint(route, routes, {
  create: createPayment,
  apply: applyPayment,
  reallocate: reallocatePayment,
  return: returnPayment,
  reverse: reversePayment,
  'pay-out': payOutCredit,
});
