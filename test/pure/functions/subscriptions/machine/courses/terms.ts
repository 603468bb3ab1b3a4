import { dayMs } from '../../../../../../functions/shared/runtime/clock.ts';
import type { SubscriptionFields } from '../../../../../../functions/subscriptions/record/subscription.ts';
import {
  grantedInvoice,
  inTerm,
  openInvoice,
  openInvoices,
  otherPlan,
  sampleNowMs,
  sampleOf,
  unstartedSample,
} from '../../../../../support/subscriptions/state-samples.ts';
import type { Course } from './course.ts';
import { atStripe, changeTo, dunning, payAll, paying, refund, revive, taking } from './given.ts';

/** Paused for this many days. */
const pausedFrom = (days: number, fields: Partial<SubscriptionFields> = {}) =>
  sampleOf('paused', { ...inTerm, pausedAtMs: sampleNowMs + days * dayMs, ...fields });

export const terms: Readonly<Record<string, Course>> = {
  'a renewal that nobody pays, by Stripe': {
    from: sampleOf('active', { ...inTerm, ...atStripe }),
    steps: [[60], revive(2, undefined)],
  },
  'a dunning step that runs late': {
    from: sampleOf('past_due', {
      ...inTerm,
      termEndMs: sampleNowMs - dayMs,
      openInvoices,
      renewalInvoiced: true,
      dunning,
    }),
    steps: [
      ['dunning_reminder', { nowMs: sampleNowMs + 8 * dayMs, by: 'timer' }],
      ['partial_payment', paying(100, { parts: [[1, 100]] })],
      [1],
      ['payment_returned', { ...taking('pay_out', 100, { creditMinor: 60 }), reason: 'By mistake' }],
      ['part_reversed', taking('dispute', 100, { parts: [[1, 100]] })],
      [30],
    ],
  },
  'a dunning step that runs when the next one is due, and the last when it ends': {
    from: sampleOf('past_due', { ...inTerm, termEndMs: sampleNowMs - dayMs, openInvoices, dunning }),
    steps: [
      ['dunning_reminder', { nowMs: sampleNowMs + dayMs }],
      ['dunning_reminder', { nowMs: sampleNowMs + 2 * dayMs }],
      ['dunning_reminder', { nowMs: sampleNowMs + 7 * dayMs }],
      ['dunning_reminder', { nowMs: sampleNowMs + 20 * dayMs }],
    ],
  },
  'a renewal under new settings': {
    from: sampleOf('active', inTerm),
    steps: [
      [
        'renewal_invoice',
        {
          renewal: {
            plan: otherPlan,
            policy: { ...unstartedSample().policy, graceDays: 1 },
            gateway: 'stripe',
            seller: { name: 'Another name' },
          },
        },
      ],
    ],
  },
  'days that are granted: none, fewer, or to a past date': {
    from: sampleOf('active', {
      ...inTerm,
      termIndex: 0,
      termStartMs: sampleNowMs - dayMs,
      termEndMs: sampleNowMs + dayMs,
    }),
    steps: [
      ['grant_days', { untilMs: sampleNowMs + dayMs }],
      ['grant_days', { untilMs: sampleNowMs }],
      ['grant_days', { untilMs: sampleNowMs + 2 * dayMs }],
      ['set_auto_renew', { autoRenew: true }],
    ],
  },
  'days that are granted to an overdue subscription whose term goes on: fewer, none, and more': {
    from: sampleOf('past_due', { ...inTerm, dunning }),
    steps: [
      ['grant_days', { untilMs: sampleNowMs + 19 * dayMs }],
      ['grant_days', { untilMs: sampleNowMs + 20 * dayMs }],
      ['grant_days', { untilMs: sampleNowMs + 21 * dayMs }],
    ],
  },
  'days that are granted to an overdue subscription, to a past date': {
    from: sampleOf('past_due', { ...inTerm, termEndMs: sampleNowMs - 2 * dayMs, openInvoices, dunning }),
    steps: [
      ['grant_days', { untilMs: sampleNowMs - 3 * dayMs }],
      ['grant_days', { untilMs: sampleNowMs - dayMs }],
      ['grant_days', { untilMs: sampleNowMs }],
      ['grant_days', { untilMs: sampleNowMs + 1 }],
    ],
  },
  'a pause with the invoice of a change that is not due yet': {
    from: pausedFrom(-1, { openInvoices: [{ ...grantedInvoice, dueAtMs: sampleNowMs + 1 }] }),
    steps: [['resume']],
  },
  'a pause with the invoice of a change that is due now': {
    from: pausedFrom(-1, { openInvoices: [{ ...grantedInvoice, dueAtMs: sampleNowMs }] }),
    steps: [['resume']],
  },
  'a pause from the first moment of a term': { from: pausedFrom(-10), steps: [['resume']] },
  'a pause before a later start': {
    from: pausedFrom(-1, { startAtMs: sampleNowMs + dayMs }),
    steps: [['resume']],
  },
  'a pause at the end of a replaced trial, before the start': {
    from: pausedFrom(-1, {
      startAtMs: sampleNowMs + dayMs,
      trialRemainder: { fromMs: sampleNowMs - 5 * dayMs, untilMs: sampleNowMs - dayMs },
    }),
    steps: [['resume']],
  },
  'a pause after a replaced trial, before the start': {
    from: pausedFrom(-1, {
      startAtMs: sampleNowMs + dayMs,
      trialRemainder: { fromMs: sampleNowMs - 5 * dayMs, untilMs: sampleNowMs - 2 * dayMs },
    }),
    steps: [['resume']],
  },
  'a pause at the start after a replaced trial': {
    from: pausedFrom(-1, {
      startAtMs: sampleNowMs - dayMs,
      trialRemainder: { fromMs: sampleNowMs - 5 * dayMs, untilMs: sampleNowMs - dayMs },
    }),
    steps: [['resume']],
  },
  'a pause in a term, with the next one paid early': {
    from: sampleOf('active', {
      ...inTerm,
      ...atStripe,
      renewalInvoiced: true,
      openInvoices: [{ ...openInvoice, n: 2, atStripe: true }],
      invoiceCount: 2,
    }),
    steps: [
      ['pause', { resumesAtMs: sampleNowMs + 3 * dayMs }],
      ['resume', { nowMs: sampleNowMs + 2 * dayMs }],
      payAll,
      ['pause'],
      [10],
      ['grant_days', { untilMs: sampleNowMs + 70 * dayMs, reason: 'Sorry' }],
      ['resume'],
    ],
  },
  'a renewal that is switched off and on': {
    from: sampleOf('active', { ...inTerm, renewalInvoiced: true, openInvoices }),
    steps: [
      ['set_auto_renew', { autoRenew: false }],
      ['set_auto_renew', { autoRenew: true }],
      ['set_auto_renew', { autoRenew: true }],
      ['cancel_at_period_end'],
      ['set_auto_renew', { autoRenew: false }],
      [30],
    ],
  },
  'a term that does not renew': {
    from: sampleOf('active', { ...inTerm, autoRenew: false }),
    steps: [[30]],
  },
  'mails of one moment': {
    from: sampleOf('active', { ...inTerm, heldMails: [] }),
    steps: [
      ['cancel_at_period_end', { mails: 'held' }],
      refund(333, { mails: 'held' }),
      changeTo(otherPlan),
      refund(100, { mails: 'held' }),
      ['change_plan', { planChange: { plan: otherPlan, proration: 'none', invoices: [] }, mails: 'held' }],
      ['renewal_invoice', { mails: 'held' }],
      ['cancel'],
    ],
  },
  // Kill Bill, TestOverdueIntegration: stages 30, 40 and 50 days after the end of what is paid.
  'two terms that nobody pays, with reminders after 30, 40 and 50 days': {
    from: sampleOf('active', {
      ...inTerm,
      policy: {
        ...unstartedSample().policy,
        reminderDays: [30, 40, 50],
        endsAfterDays: 60,
        graceDays: 30,
      },
    }),
    steps: [[75], payAll, [1], payAll, [1]],
  },
  // Polar, test_full_lifecycle: renewed twice, cancelled at the end of the third term.
  'three terms, and a cancellation at the end': {
    from: sampleOf('active', inTerm),
    steps: [[14], payAll, [30], payAll, ['cancel_at_period_end'], [60]],
  },
};
