import { arriving, waitingEntry } from '../../../../../../functions/payments/settle/movement.ts';
import { dayMs } from '../../../../../../functions/shared/runtime/clock.ts';
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
import { atStripe, changeTo, dunning, payAll, paying, paymentOf, refund, small, taking } from './given.ts';

/** An open invoice that was paid in part by one payment. */
const paidInPart = (amountMinor: number) => ({
  settled: { paidMinor: amountMinor },
  parts: [{ paymentId: 'pay_part', amountMinor }],
});

export const payments: Readonly<Record<string, Course>> = {
  'credit that covers the first term, and half of the next': {
    from: unstartedSample(),
    client: { credit: { EUR: 1_499, USD: 5 } },
    steps: [['start', { isCoveredByCredit: true }], [25], ['cancel']],
  },
  'a debt, which the next invoice asks for': {
    from: unstartedSample(),
    client: { credit: { EUR: -300 } },
    steps: [['start'], ['payment_credited', paying(70, { creditMinor: 70 })], payAll],
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
      ['partial_payment', paying(100, { parts: [[2, 100]] })],
      [
        'part_reversed',
        taking('dispute', 100, {
          parts: [
            [2, 60],
            [7, 1],
          ],
        }),
      ],
      ['payment_returned', taking('pay_out', 100, { creditMinor: 50 })],
      ['payment_returned', taking('pay_out', 100, { waitingMinor: 100 })],
    ],
  },
  'a refund in part, and of the rest': {
    from: sampleOf('active', inTerm),
    steps: [refund(333), refund(666, { refundCancels: true, creditMinor: 10 })],
  },
  'a refund of what a change of plan credited, and of the rest': {
    from: sampleOf('active', inTerm),
    steps: [changeTo(small), refund(600), refund(399, { refundCancels: true })],
  },
  'a refund of credit alone': {
    from: sampleOf('active', inTerm),
    steps: [['payment_refunded', { ...taking('refund', 999, { creditMinor: 9 }), refunded: [] }]],
  },
  'a refund that ends a term whose renewal is open': {
    from: sampleOf('active', {
      ...inTerm,
      renewalInvoiced: true,
      invoiceCount: 2,
      openInvoices: [{ ...openInvoice, n: 2, invoiceId: 'inv_2' }],
    }),
    steps: [refund(999, { refundCancels: true })],
  },
  'a refund of the whole, and of a part of an open invoice': {
    from: sampleOf('past_due', {
      ...inTerm,
      openInvoices: [
        {
          ...openInvoice,
          n: 2,
          settled: { paidMinor: 5 },
          parts: [{ paymentId: 'pay_999', amountMinor: 5 }],
        },
      ],
      dunning,
    }),
    steps: [
      refund(999, { openParts: [[2, 5]] }),
      ['set_auto_renew', { autoRenew: false }],
      ['grant_days', { untilMs: sampleNowMs + 25 * dayMs }],
    ],
  },
  'a cancellation of what was paid in part': {
    from: sampleOf('active', {
      ...inTerm,
      ...atStripe,
      openInvoices: [
        { ...openInvoice, n: 2, ...paidInPart(5), atStripe: true },
        { ...grantedInvoice, n: 3, ...paidInPart(7), dueAtMs: sampleNowMs + dayMs, atStripe: true },
        { ...grantedInvoice, n: 4, ...paidInPart(9) },
        { ...openInvoice, n: 5, currency: 'USD', ...paidInPart(11) },
      ],
    }),
    steps: [
      ['cancel'],
      [
        'payment_reversed',
        {
          reversed: [{ ...grantedInvoice, settled: { paidMinor: 1 } }],
          ...taking('dispute', 999, { parts: [[1, 998]] }),
        },
      ],
      refund(100),
    ],
  },
  'an unpaid end after which a part of the credit was spent': {
    from: sampleOf('expired', {
      ...inTerm,
      endedAtMs: sampleNowMs - dayMs,
      endReason: 'unpaid',
      debts: [3],
    }),
    client: { credit: { EUR: 100 } },
    steps: [
      [
        'payment_revived',
        {
          isRevivable: true,
          paid: [1],
          ...paying(900, { parts: [[1, 899]], creditMinor: 1 }),
          revival: {
            invoices: [{ ...openInvoice, settled: { writtenOffMinor: 999 } }],
            reissued: [],
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
          ...paying(1_698, {
            parts: [
              [1, 699],
              [2, 999],
            ],
          }),
          revival: {
            invoices: [
              { ...grantedInvoice, settled: { paidMinor: 300, writtenOffMinor: 699 } },
              { ...openInvoice, n: 2, settled: { writtenOffMinor: 999 } },
            ],
            reissued: [],
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
          ...paying(499, { parts: [[1, 499]] }),
          revival: {
            invoices: [{ ...openInvoice, settled: { cancelledMinor: 999 } }],
            reissued: [],
            startMs: sampleNowMs,
          },
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
        {
          payment: paymentOf(999),
          booked: [waitingEntry(arriving('bank'), paymentOf(999), 999)],
          unapplied: { paymentId: 'pay_999', invoice: 'INV-1' },
        },
      ],
      ['payment_credited', paying(9, { creditMinor: 9 })],
    ],
  },
};
