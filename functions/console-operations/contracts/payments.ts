import { submitRoute } from '../../console/contracts/operations.ts';
import {
  payOutRoute,
  reallocateRoute,
  returnRoute,
  reverseRoute,
} from '../../payments/contracts/decisions.ts';
import { applyRoute, createRoute } from '../../payments/contracts/payments.ts';

export const commands = {
  create: createRoute,
  apply: applyRoute,
  reallocate: reallocateRoute,
  return: returnRoute,
  reverse: reverseRoute,
  'pay-out': payOutRoute,
};

export const route = submitRoute('payments', commands, 'payments');
