import { dayMs } from '../../../../../../functions/shared/runtime/clock.ts';
import { invoiceRecord, soldPlan } from '../../../../../support/subscriptions/sold.ts';
import {
  freePlan,
  grantedInvoice,
  inTerm,
  onTrial,
  openInvoice,
  otherPlan,
  sampleNowMs,
  sampleOf,
  unstartedSample,
} from '../../../../../support/subscriptions/state-samples.ts';
import type { Course } from './course.ts';
import {
  annual,
  atStripe,
  changeTo,
  german,
  pay,
  payAll,
  paying,
  scheduled,
  small,
  taking,
  taxedSeller,
} from './given.ts';

/** As they were read with a subscription in its first term: two that are paid, and one that was closed. */
const invoices = (['paid', 'paid', 'void'] as const).map((status, i) =>
  invoiceRecord(sampleOf('active', inTerm), i + 1, {
    invoiceId: `inv_${i + 1}`,
    status,
    lines: [{ description: 'Pro', quantity: 1, amountMinor: 999 }],
    settled: status === 'paid' ? { paidMinor: 999 } : { cancelledMinor: 999 },
  }),
);

export const planChanges: Readonly<Record<string, Course>> = {
  'tax on prices without it': {
    from: unstartedSample({ seller: taxedSeller, gateway: 'sandbox' }),
    client: german,
    steps: [
      ['start'],
      pay({ isSandbox: true, by: 'gateway' }),
      [10],
      changeTo(small),
      changeTo(otherPlan),
      changeTo(freePlan),
    ],
  },
  'a dearer plan, and a cheaper one': {
    from: sampleOf('active', inTerm),
    steps: [changeTo(otherPlan), payAll, changeTo(small), changeTo({ ...small, quantity: 2 }), [12], payAll],
  },
  'a change that nobody pays': {
    from: sampleOf('active', { ...inTerm, ...atStripe }),
    steps: [
      changeTo(otherPlan),
      ['partial_payment', paying(67, { parts: [[2, 67]] })],
      [9],
      ['payment_reversed', { reversed: [grantedInvoice], ...taking('dispute', 999, { parts: [[1, 999]] }) }],
      changeTo(small),
      [60],
    ],
  },
  'a change that is undone before it is paid': {
    from: sampleOf('active', { ...inTerm, ...atStripe }),
    steps: [
      changeTo(otherPlan),
      ['partial_payment', paying(100, { parts: [[2, 100]] })],
      changeTo(soldPlan),
      ['cancel'],
    ],
  },
  'a paid plan after a free one, and a cheaper one': {
    from: unstartedSample({ plan: freePlan }),
    steps: [['start'], [10], changeTo(otherPlan), payAll, changeTo(small)],
  },
  'a dearer plan, when the next term is paid': {
    from: sampleOf('active', inTerm),
    steps: [[14], payAll, changeTo(otherPlan)],
  },
  'a cheaper plan of a client who owes, while changes before it are open': {
    client: { credit: { EUR: -100 } },
    from: sampleOf('active', {
      ...inTerm,
      ...atStripe,
      renewalInvoiced: true,
      openInvoices: [
        { ...openInvoice, n: 2, atStripe: true },
        ...[3, 4].map((n) => ({
          ...grantedInvoice,
          n,
          totalMinor: 500,
          dueAtMs: sampleNowMs + n * dayMs,
          atStripe: true,
        })),
      ],
      invoiceCount: 4,
    }),
    steps: [
      ['change_plan', { planChange: { plan: { ...soldPlan, ...small }, proration: 'credit', invoices } }],
    ],
  },
  'a plan of another cycle from the next term on': {
    from: sampleOf('active', inTerm),
    steps: [
      [
        'schedule_plan_change',
        { planChange: { plan: { ...soldPlan, ...annual }, proration: 'credit', invoices: [] } },
      ],
      [14],
      payAll,
    ],
  },
  'a pause after a change to another cycle without proration': {
    from: sampleOf('active', inTerm),
    steps: [changeTo(annual, 'none'), ['pause'], [3], ['resume']],
  },
  'a plan of another cycle': {
    from: sampleOf('active', inTerm),
    client: { credit: { EUR: 10_000 } },
    steps: [changeTo(annual), [5], changeTo(annual, 'none'), changeTo(soldPlan)],
  },
  'a change without proration': {
    from: sampleOf('active', inTerm),
    steps: [changeTo(otherPlan, 'none')],
  },
  'a plan from the next term on': {
    from: sampleOf('active', {
      ...inTerm,
      ...atStripe,
      renewalInvoiced: true,
      openInvoices: [
        {
          ...openInvoice,
          n: 2,
          settled: { paidMinor: 100 },
          parts: [{ paymentId: 'pay_100', amountMinor: 100 }],
          atStripe: true,
        },
      ],
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
      openInvoices: [
        {
          ...openInvoice,
          settled: { paidMinor: 5 },
          parts: [{ paymentId: 'pay_5', amountMinor: 5 }],
          atStripe: true,
        },
      ],
      invoiceCount: 1,
    }),
    steps: [changeTo(otherPlan), [2], changeTo(freePlan), changeTo(otherPlan)],
  },
};
