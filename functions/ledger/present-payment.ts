import type { output } from 'zod/mini';
import { defined } from '../shared/contract/defined.ts';
import { toDecimal } from '../shared/money/money.ts';
import { isoTime } from '../shared/runtime/clock.ts';
import { goneMinor, type Payment, unappliedMinor } from './payment.ts';
import type { OnePayment } from './payment-schema.ts';

export function toPaymentResponse(payment: Payment): output<typeof OnePayment>['payment'] {
  const { paymentId, source, sourceId, method, amountMinor, currency, status, allocations } = payment;
  const { unappliedReason, returnReason, externalId, subscriptionId, invoiceId, reference, payer } = payment;
  const decimal = (minor: number) => toDecimal(minor, currency);
  return {
    _id: paymentId,
    source,
    sourceId,
    method,
    amount: decimal(amountMinor),
    currency,
    valueDate: isoTime(payment.valueAtMs),
    status,
    applied: allocations.map((part) => ({
      invoiceId: part.invoiceId,
      number: part.number,
      subscriptionId: part.subscriptionId,
      amount: decimal(part.amountMinor),
    })),
    credited: decimal(payment.creditedMinor),
    returned: decimal(goneMinor(payment)),
    waiting: decimal(unappliedMinor(payment)),
    ...defined({ unappliedReason, returnReason, externalId, subscriptionId, invoiceId, reference, payer }),
    recordedAt: isoTime(payment.recordedAtMs),
    updatedAt: isoTime(payment.updatedAtMs),
  };
}
