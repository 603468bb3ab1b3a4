import { operationsEndpoint, saying } from '../console/operations/perform.ts';
import { applyPayment } from '../payments/apply.ts';
import type { applyRoute } from '../payments/contracts/payments.ts';
import { createPayment } from '../payments/create.ts';
import { payOutCredit } from '../payments/pay-out.ts';
import { reallocatePayment } from '../payments/reallocate.ts';
import { returnPayment } from '../payments/return.ts';
import { reversePayment } from '../payments/reverse.ts';
import type { Output } from '../shared/contract/route.ts';
import { formatAmount } from '../shared/money/format.ts';
import { toMinor } from '../shared/money/money.ts';
import { commands, route } from './contracts/payments.ts';

/** An invoice that was paid or closed meanwhile leaves the money as credit, so that the notice says where it is. */
function usesOf({ applied, credited, currency }: Output<typeof applyRoute>['payment']): string {
  const amount = (value: number) => formatAmount(toMinor(value, currency) ?? 0, currency);
  const invoices = applied.map((one) => `${amount(one.amount)} to ${one.number}`);
  const credit = credited > 0 ? [`${amount(credited)} to the credit of the client`] : [];
  return [...invoices, ...credit].join(', ');
}

export const handler = operationsEndpoint(route, commands, {
  create: createPayment,
  apply: saying(applyPayment, ({ payment }) => `The payment was applied: ${usesOf(payment)}.`),
  reallocate: reallocatePayment,
  return: returnPayment,
  reverse: reversePayment,
  'pay-out': payOutCredit,
});
