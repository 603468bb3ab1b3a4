import { dayMs } from '../../../../../../functions/shared/runtime/duration.ts';
import {
  freePlan,
  grantedInvoice,
  inTerm,
  onTrial,
  openInvoice,
  openInvoices,
  sampleNowMs,
  sampleOf,
  unstartedSample,
} from '../../../../../support/subscriptions/state-samples.ts';
import type { Course } from './course.ts';
import { atStripe, dunning, payAll, paymentOf, refund } from './given.ts';

export const payments: Readonly<Record<string, Course>> = {
  'credit that covers the first term, and half of the next': {
    from: unstartedSample(),
    client: { credit: { EUR: 1_499, USD: 5 } },
    steps: [['start', { isCoveredByCredit: true }], [25], ['cancel']],
  },
  'a debt, which the next invoice asks for': {
    from: unstartedSample(),
    client: { credit: { EUR: -300 } },
    steps: [['start'], ['payment_credited', { payment: paymentOf(70), creditMinor: 70 }], payAll],
  },
  'a dispute that is won': {
    from: sampleOf('active', { ...inTerm, ...atStripe }),
    steps: [
      [
        'payment_reversed',
        {
          by: 'gateway',
          reversed: [
            { ...grantedInvoice, owedFromMs: sampleNowMs - 2 * dayMs, receivedMinor: 99, atStripe: true },
          ],
          parts: [],
          payment: paymentOf(999),
        },
      ],
      [4],
      [
        'payment_reinstated',
        {
          by: 'gateway',
          paid: [1],
          paymentId: 'pay_1',
          reversed: [{ ...grantedInvoice, receivedMinor: 999 }],
          payment: paymentOf(999),
        },
      ],
      [
        'payment_reversed',
        { reversed: [{ ...grantedInvoice, owedFromMs: sampleNowMs + 10 * dayMs }], payment: paymentOf(999) },
      ],
      [60],
      ['payment_reversed', { reversed: [{ ...grantedInvoice, n: 7 }], payment: paymentOf(999) }],
      ['payment_reinstated', { reversed: [{ ...grantedInvoice, n: 7 }], payment: paymentOf(999) }],
      ['payment_reinstated', { isRestorable: true, reversed: [grantedInvoice], payment: paymentOf(999) }],
    ],
  },
  'two disputes, one of them won': {
    from: sampleOf('past_due', {
      ...inTerm,
      openInvoices: [
        { ...grantedInvoice, owedFromMs: sampleNowMs - 6 * dayMs, atStripe: true },
        { ...grantedInvoice, n: 2, owedFromMs: sampleNowMs - dayMs, atStripe: true },
      ],
      dunning: { fromMs: sampleNowMs - 6 * dayMs, reminders: 3 },
    }),
    steps: [
      ['payment_reinstated', { paid: [1], reversed: [grantedInvoice], payment: paymentOf(999) }],
      payAll,
    ],
  },
  'a dispute of two invoices and of credit, which are paid and won one after another': {
    from: sampleOf('active', {
      ...inTerm,
      termEndMs: sampleNowMs + 2 * dayMs,
      renewalInvoiced: true,
      openInvoices: [{ ...openInvoice, n: 3 }],
    }),
    steps: [
      [
        'payment_reversed',
        {
          reversed: [
            { ...grantedInvoice, owedFromMs: sampleNowMs - 6 * dayMs },
            { ...grantedInvoice, n: 2, owedFromMs: sampleNowMs - dayMs },
          ],
          payment: paymentOf(2_048),
          creditMinor: -50,
        },
      ],
      ['payment', { paid: [7], payment: paymentOf(5) }],
      ['payment', { paid: [1], parts: [{ n: 1, amountMinor: 999 }], payment: paymentOf(999) }],
      [1],
      [
        'payment_reinstated',
        { paid: [2], reversed: [{ ...grantedInvoice, n: 2 }], payment: paymentOf(2_048), creditMinor: 50 },
      ],
    ],
  },
  'a won dispute of two invoices, beside another one and a renewal that is overdue': {
    from: sampleOf('past_due', {
      ...inTerm,
      termEndMs: sampleNowMs - dayMs,
      openInvoices: [
        ...[1, 2].map((n) => ({ ...grantedInvoice, n, owedFromMs: sampleNowMs - 6 * dayMs })),
        { ...grantedInvoice, n: 3, owedFromMs: sampleNowMs - 2 * dayMs },
        { ...openInvoice, n: 4 },
      ],
      dunning: { fromMs: sampleNowMs - 6 * dayMs, reminders: 1 },
    }),
    steps: [
      ['payment_reinstated', { paid: [2], reversed: [{ ...grantedInvoice, n: 2 }], payment: paymentOf(999) }],
      [
        'payment_reinstated',
        { paid: [1, 9], reversed: [grantedInvoice, { ...grantedInvoice, n: 9 }], payment: paymentOf(999) },
      ],
      ['payment_reinstated', { paid: [3], reversed: [{ ...grantedInvoice, n: 3 }], payment: paymentOf(999) }],
    ],
  },
  'a reversed payment that is paid again before the end of its term, and at it': {
    from: sampleOf('active', {
      ...inTerm,
      termEndMs: sampleNowMs,
      renewalInvoiced: true,
      openInvoices: [{ ...openInvoice, n: 2 }],
    }),
    steps: [
      ['payment_reversed', { reversed: [grantedInvoice], payment: paymentOf(999) }],
      ['payment', { paid: [1], payment: paymentOf(999), atMs: sampleNowMs - 1, nowMs: sampleNowMs + dayMs }],
      ['payment_reversed', { reversed: [grantedInvoice], payment: paymentOf(999) }],
      ['payment', { paid: [1], payment: paymentOf(999) }],
    ],
  },
  'parts of one of two invoices': {
    from: sampleOf('active', {
      ...inTerm,
      ...atStripe,
      openInvoices: [1, 2].map((n) => ({
        ...grantedInvoice,
        n,
        dueAtMs: sampleNowMs + 9 * dayMs,
        atStripe: true,
      })),
    }),
    steps: [
      ['partial_payment', { parts: [{ n: 2, amountMinor: 100 }], payment: paymentOf(100) }],
      [
        'part_reversed',
        {
          parts: [
            { n: 2, amountMinor: -60 },
            { n: 7, amountMinor: -1 },
          ],
          payment: paymentOf(100),
        },
      ],
      ['payment_returned', { payment: paymentOf(100), creditMinor: -50 }],
      ['payment_returned', { payment: paymentOf(100) }],
    ],
  },
  'a dispute in a pause': {
    from: sampleOf('paused', { ...inTerm, pausedAtMs: sampleNowMs - dayMs }),
    steps: [
      ['payment_reversed', { reversed: [grantedInvoice], payment: paymentOf(999) }],
      ['resume'],
      payAll,
    ],
  },
  'a refund in part, and of the rest': {
    from: sampleOf('active', inTerm),
    steps: [
      ['payment_refunded', refund(333, { creditMinor: 20 })],
      [
        'payment_refunded',
        { ...refund(666, { noteMinor: 0, isWhole: true }), refundCancels: true, creditMinor: -10 },
      ],
    ],
  },
  'a refund of credit alone': {
    from: sampleOf('active', inTerm),
    steps: [['payment_refunded', { payment: paymentOf(999), refunded: [], parts: [], creditMinor: -9 }]],
  },
  'a refund that ends a term whose renewal is open': {
    from: sampleOf('active', {
      ...inTerm,
      renewalInvoiced: true,
      invoiceCount: 2,
      openInvoices: [{ ...openInvoice, n: 2, invoiceId: 'inv_2' }],
    }),
    steps: [['payment_refunded', { ...refund(999), refundCancels: true }]],
  },
  'a refund of the whole': {
    from: sampleOf('past_due', { ...inTerm, openInvoices, dunning }),
    steps: [
      ['payment_refunded', { ...refund(999), parts: [{ n: 1, amountMinor: -5 }] }],
      ['set_auto_renew', { autoRenew: false }],
      ['grant_days', { untilMs: sampleNowMs + 25 * dayMs }],
    ],
  },
  'a cancellation of what was paid in part': {
    from: sampleOf('active', {
      ...inTerm,
      ...atStripe,
      openInvoices: [
        { ...openInvoice, n: 2, receivedMinor: 5, atStripe: true },
        { ...grantedInvoice, n: 3, receivedMinor: 7, dueAtMs: sampleNowMs + dayMs, atStripe: true },
        { ...grantedInvoice, n: 4, receivedMinor: 9 },
        { ...openInvoice, n: 5, currency: 'USD', receivedMinor: 11 },
      ],
    }),
    steps: [
      ['cancel'],
      ['payment_reversed', { reversed: [{ ...grantedInvoice, receivedMinor: 1 }], payment: paymentOf(999) }],
      ['payment_refunded', refund(100)],
    ],
  },
  'an unpaid end after which credit was spent': {
    from: sampleOf('expired', {
      ...inTerm,
      endedAtMs: sampleNowMs - dayMs,
      endReason: 'unpaid',
      reversedAtEnd: [3],
    }),
    client: { credit: { EUR: 100 } },
    steps: [
      [
        'payment_revived',
        {
          isRevivable: true,
          paid: [1],
          payment: paymentOf(700),
          parts: [{ n: 1, amountMinor: 699 }],
          revival: {
            invoices: [{ ...openInvoice, receivedMinor: 300, creditUsedMinor: 120 }],
            startMs: undefined,
          },
        },
      ],
    ],
  },
  'an unpaid end of a reversed payment, and of a renewal whose credit was spent': {
    from: sampleOf('expired', {
      ...inTerm,
      termStartMs: sampleNowMs - 60 * dayMs,
      termEndMs: sampleNowMs - 30 * dayMs,
      endedAtMs: sampleNowMs - dayMs,
      endReason: 'unpaid',
    }),
    steps: [
      [
        'payment_revived',
        {
          isRevivable: true,
          paid: [1, 2],
          payment: paymentOf(1_698),
          revival: {
            invoices: [
              { ...grantedInvoice, receivedMinor: 300 },
              { ...openInvoice, n: 2, receivedMinor: 300, creditUsedMinor: 300 },
            ],
            startMs: sampleNowMs - 7 * dayMs,
          },
        },
      ],
    ],
  },
  'an unpaid end after which there is more credit': {
    from: sampleOf('expired', { ...onTrial, endedAtMs: sampleNowMs - dayMs, endReason: 'unpaid' }),
    client: { credit: { EUR: 500 } },
    steps: [
      [
        'payment_revived',
        {
          isRevivable: true,
          paid: [1],
          payment: paymentOf(499),
          parts: [{ n: 1, amountMinor: 499 }],
          revival: { invoices: openInvoices, startMs: sampleNowMs },
        },
      ],
    ],
  },
  'a free plan of a client who owes': {
    from: unstartedSample({ plan: freePlan }),
    client: { credit: { EUR: -300 } },
    steps: [['start']],
  },
  'a payment that waits for a decision': {
    from: sampleOf('pending', {
      openInvoices,
      paymentDeadlineMs: sampleNowMs + 5 * dayMs,
      processing: [{ paymentId: 'pay_9', untilMs: sampleNowMs + dayMs }],
    }),
    steps: [
      ['payment_processing', { payment: paymentOf(999), processingUntilMs: sampleNowMs + 30 * dayMs }],
      [
        'payment_unapplied',
        { payment: paymentOf(999), unapplied: { paymentId: 'pay_999', invoice: 'INV-1' } },
      ],
      ['payment_credited', { payment: { ...paymentOf(9), paymentId: 'pay_9' }, creditMinor: 9 }],
    ],
  },
};
