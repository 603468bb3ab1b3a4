import { dayMs } from '../../../../../../functions/shared/runtime/clock.ts';
import {
  grantedInvoice,
  inTerm,
  openInvoice,
  sampleNowMs,
  sampleOf,
} from '../../../../../support/subscriptions/state-samples.ts';
import type { Course } from './course.ts';
import { atStripe, disputeWon, payAll, paying, payingDebts, paymentOf, taking } from './given.ts';

export const disputes: Readonly<Record<string, Course>> = {
  'a dispute that is won': {
    from: sampleOf('active', { ...inTerm, ...atStripe }),
    steps: [
      [
        'payment_reversed',
        {
          by: 'gateway',
          reversed: [
            {
              ...grantedInvoice,
              owedFromMs: sampleNowMs - 2 * dayMs,
              settled: { paidMinor: 99 },
              atStripe: true,
            },
          ],
          ...taking('dispute', 999, { parts: [[1, 900]] }),
        },
      ],
      [4],
      [
        'payment_reinstated',
        {
          by: 'gateway',
          paid: [1],
          paymentId: 'pay_1',
          ...paying(999, { parts: [[1, 900]] }, disputeWon),
        },
      ],
      [
        'payment_reversed',
        {
          reversed: [{ ...grantedInvoice, owedFromMs: sampleNowMs + 10 * dayMs }],
          ...taking('dispute', 999, { parts: [[1, 999]] }),
        },
      ],
      [60],
      [
        'payment_reversed',
        { reversed: [{ ...grantedInvoice, n: 7 }], ...taking('dispute', 999, { parts: [[7, 999]] }) },
      ],
      ['payment_reinstated', { paid: [7], ...payingDebts(999, { parts: [[7, 999]] }, disputeWon) }],
      [
        'payment_revived',
        {
          isRevivable: true,
          paid: [1],
          ...paying(999, { parts: [[1, 999]] }, disputeWon),
          revival: {
            invoices: [{ ...grantedInvoice, settled: { writtenOffMinor: 999 } }],
            reissued: [],
            startMs: undefined,
          },
        },
      ],
    ],
  },
  'a debt that is paid, and one that stays': {
    from: sampleOf('expired', {
      ...inTerm,
      endedAtMs: sampleNowMs - dayMs,
      endReason: 'unpaid',
      debts: [1, 2],
    }),
    steps: [
      [
        'debt_paid',
        {
          by: 'gateway',
          paid: [1],
          paymentId: 'pi_1',
          ...payingDebts(1_100, {
            parts: [
              [1, 999],
              [2, 101],
            ],
          }),
        },
      ],
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
    steps: [['payment_reinstated', { paid: [1], ...paying(999, { parts: [[1, 999]] }, disputeWon) }], payAll],
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
          ...taking('dispute', 2_048, {
            parts: [
              [1, 999],
              [2, 999],
            ],
            creditMinor: 50,
          }),
        },
      ],
      ['payment', { paid: [7], payment: paymentOf(5) }],
      ['payment', { paid: [1], ...paying(999, { parts: [[1, 999]] }) }],
      [1],
      [
        'payment_reinstated',
        { paid: [2], ...paying(2_048, { parts: [[2, 999]], creditMinor: 1_049 }, disputeWon) },
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
      ['payment_reinstated', { paid: [2], ...paying(999, { parts: [[2, 999]] }, disputeWon) }],
      ['payment_reinstated', { paid: [1, 9], ...paying(999, { parts: [[1, 999]] }, disputeWon) }],
      ['payment_reinstated', { paid: [3], ...paying(999, { parts: [[3, 999]] }, disputeWon) }],
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
      ['payment_reversed', { reversed: [grantedInvoice], ...taking('dispute', 999, { parts: [[1, 999]] }) }],
      [
        'payment',
        {
          paid: [1],
          ...paying(999, { parts: [[1, 999]] }),
          atMs: sampleNowMs - 1,
          nowMs: sampleNowMs + dayMs,
        },
      ],
      ['payment_reversed', { reversed: [grantedInvoice], ...taking('dispute', 999, { parts: [[1, 999]] }) }],
      ['payment', { paid: [1], ...paying(999, { parts: [[1, 999]] }) }],
    ],
  },
  'a dispute in a pause': {
    from: sampleOf('paused', { ...inTerm, pausedAtMs: sampleNowMs - dayMs }),
    steps: [
      ['payment_reversed', { reversed: [grantedInvoice], ...taking('dispute', 999, { parts: [[1, 999]] }) }],
      ['resume'],
      payAll,
    ],
  },
};
