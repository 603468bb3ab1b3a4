import { submitRoute } from '../../console/contracts/operations.ts';
import {
  payOutRoute as payOut,
  reallocateRoute as reallocate,
  returnRoute as returnPayment,
  reverseRoute as reverse,
} from '../../payments/contracts/decisions.ts';
import { applyRoute as apply, createRoute as create } from '../../payments/contracts/payments.ts';

export const commands = {
  create,
  apply,
  reallocate,
  return: returnPayment,
  reverse,
  'pay-out': payOut,
};

export const route = submitRoute('payments', commands, 'payments');
