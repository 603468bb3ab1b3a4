import { submitRoute } from '../../console/contracts/operations.ts';
import { route as apply } from '../../payments/contracts/apply.ts';
import { route as create } from '../../payments/contracts/create.ts';
import { route as payOut } from '../../payments/contracts/pay-out.ts';
import { route as reallocate } from '../../payments/contracts/reallocate.ts';
import { route as returnPayment } from '../../payments/contracts/return.ts';
import { route as reverse } from '../../payments/contracts/reverse.ts';

export const commands = {
  create,
  apply,
  reallocate,
  return: returnPayment,
  reverse,
  'pay-out': payOut,
};

export const route = submitRoute('payments', commands, 'payments');
