/** Shared by courses: amounts, plans, sellers and steps. */
import { dayMs } from '../../../../../../functions/shared/runtime/duration.ts';
import { soldPlan } from '../../../../../support/subscriptions/sold.ts';
import { otherPlan, sampleNowMs } from '../../../../../support/subscriptions/state-samples.ts';
import type { Step } from './course.ts';

export const paymentOf = (amountMinor: number) => ({
  paymentId: `pay_${amountMinor}`,
  amountMinor,
  currency: 'EUR',
});
/** All open invoices are paid by a payment of the amount that is due of the first. */
export const payAll: Step = [
  'payment',
  ({ subscription: { openInvoices } }) => ({
    paid: openInvoices.map(({ n }) => n),
    parts: openInvoices.map(({ n, totalMinor, receivedMinor = 0 }) => ({
      n,
      amountMinor: totalMinor - receivedMinor,
    })),
    payment: paymentOf(999),
    paymentId: 'pay_999',
  }),
];
export const changeTo = (plan: typeof soldPlan | object, proration: 'credit' | 'none' = 'credit'): Step => [
  'change_plan',
  ({ invoices }) => ({ planChange: { plan: { ...soldPlan, ...plan }, proration, invoices } }),
];
export const scheduled: Step = [
  'schedule_plan_change',
  { planChange: { plan: otherPlan, proration: 'credit', invoices: [] } },
];
export const small = { planId: 'pln_small', name: 'Small', priceMinor: 333 };
export const annual = {
  planId: 'pln_year',
  name: 'Year',
  priceMinor: 9_990,
  billingCycle: 'annual',
} as const;
export const taxedSeller = {
  name: 'Example App',
  banking: { accountHolder: 'Acme', bankName: 'Bank' },
  legal: { legalName: 'Acme Oy', address: { line1: 'Street 1', city: 'Town', country: 'FI' } },
  tax: { rates: [{ country: 'DE', percent: 19 }], pricesInclude: 'exclusive', reverseCharge: true },
} as const;
export const german = { address: { line1: 'Weg 2', city: 'Berlin', country: 'DE' } };
export const atStripe = { gateway: 'stripe' } as const;
export const dunning = { fromMs: sampleNowMs - dayMs, reminders: 0 };
export const refund = (amountMinor: number, more: object = {}) => ({
  payment: paymentOf(999),
  refunded: [
    {
      invoice: {
        n: 1,
        invoiceId: 'inv_1',
        number: 'INV-1',
        currency: 'EUR',
        periodEndMs: sampleNowMs + 20 * dayMs,
      },
      amountMinor,
      noteMinor: amountMinor,
      creditMinor: 0,
      leftMinor: 999 - amountMinor,
      isWhole: amountMinor === 999,
      fields: { receivedMinor: 999 - amountMinor, refundedMinor: amountMinor, creditUsedMinor: 0 },
      ...more,
    },
  ],
});
