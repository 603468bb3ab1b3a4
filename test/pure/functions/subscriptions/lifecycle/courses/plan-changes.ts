import { soldPlan } from '../../../../../support/subscriptions/sold.ts';
import {
  freePlan,
  grantedInvoice,
  inTerm,
  onTrial,
  openInvoice,
  otherPlan,
  sampleOf,
  unstartedSample,
} from '../../../../../support/subscriptions/state-samples.ts';
import type { Course } from './course.ts';
import {
  annual,
  atStripe,
  changeTo,
  german,
  payAll,
  paymentOf,
  recordedTerm,
  scheduled,
  small,
  taxedSeller,
} from './given.ts';

export const planChanges: Readonly<Record<string, Course>> = {
  'tax on prices without it': {
    from: unstartedSample({ seller: taxedSeller, gateway: 'sandbox' }),
    client: german,
    steps: [
      ['start'],
      ['payment', { paid: [1], isSandbox: true, by: 'gateway' }],
      [10],
      changeTo(small),
      changeTo(otherPlan),
    ],
  },
  'a dearer plan, and a cheaper one': {
    from: sampleOf('active', recordedTerm),
    steps: [changeTo(otherPlan), payAll, changeTo(small), changeTo({ ...small, quantity: 2 }), [12], payAll],
  },
  'a change that nobody pays': {
    from: sampleOf('active', { ...recordedTerm, ...atStripe }),
    steps: [
      changeTo(otherPlan),
      [9],
      ['payment_reversed', { reversed: [grantedInvoice], payment: paymentOf(999) }],
      changeTo(small),
      [60],
    ],
  },
  'a change that is undone before it is paid': {
    from: sampleOf('active', { ...recordedTerm, ...atStripe }),
    steps: [
      changeTo(otherPlan),
      ['partial_payment', { parts: [{ n: 2, amountMinor: 100 }], payment: paymentOf(100) }],
      changeTo(soldPlan),
      ['cancel'],
    ],
  },
  'a plan of another cycle': {
    from: sampleOf('active', recordedTerm),
    client: { credit: { EUR: 10_000 } },
    steps: [changeTo(annual), [5], changeTo(annual, 'none'), changeTo(soldPlan)],
  },
  'a change without proration': {
    from: sampleOf('active', recordedTerm),
    steps: [changeTo(otherPlan, 'none')],
  },
  'a change of a subscription of release 0.1.0': {
    from: sampleOf('active', inTerm),
    steps: [
      ['change_plan', { planChange: { plan: { ...soldPlan, ...small }, proration: 'credit', invoices: [] } }],
    ],
  },
  'a plan from the next term on': {
    from: sampleOf('active', {
      ...recordedTerm,
      ...atStripe,
      renewalInvoiced: true,
      openInvoices: [{ ...openInvoice, n: 2, receivedMinor: 100, atStripe: true }],
      invoiceCount: 2,
    }),
    steps: [
      scheduled,
      ['undo_plan_change'],
      scheduled,
      [14],
      payAll,
      [10],
      ['schedule_plan_change', { planChange: { plan: soldPlan, proration: 'credit', invoices: [] } }],
    ],
  },
  'a trial whose plan changes after its invoice': {
    from: sampleOf('trialing', {
      ...onTrial,
      openInvoices: [{ ...openInvoice, receivedMinor: 5, atStripe: true }],
      invoiceCount: 1,
    }),
    steps: [
      changeTo(freePlan),
      ['change_plan', { planChange: { plan: otherPlan, proration: 'credit', invoices: [] } }],
    ],
  },
};
