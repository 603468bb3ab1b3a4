import { dayMs } from '../../../../../../functions/shared/runtime/clock.ts';
import { soldPlan } from '../../../../../support/subscriptions/sold.ts';
import {
  freePlan,
  onTrial,
  otherPlan,
  sampleNowMs,
  sampleOf,
  unstartedSample,
} from '../../../../../support/subscriptions/state-samples.ts';
import type { Course } from './course.ts';
import { atStripe, changeTo, german, pay, payAll, paying, paymentOf, revive, taxedSeller } from './given.ts';

export const beginnings: Readonly<Record<string, Course>> = {
  'a transfer in two parts': {
    from: unstartedSample(),
    steps: [
      ['start'],
      ['partial_payment', paying(400, { parts: [[1, 400]] })],
      [8],
      [
        'payment',
        {
          paid: [1],
          ...paying(649, { parts: [[1, 599]], creditMinor: 50 }),
          paymentId: 'pay_649',
        },
      ],
      [28],
      payAll,
      [3],
      ['grant_days', { untilMs: sampleNowMs + 80 * dayMs, reason: 'An apology' }],
      [100],
    ],
  },
  'a first payment that never comes': {
    from: unstartedSample(),
    steps: [['start'], [60], ['cancel'], ['cancel']],
  },
  'a checkout that is left': { from: unstartedSample(atStripe), steps: [['start'], [60]] },
  'a checkout that is cancelled': { from: unstartedSample(atStripe), steps: [['start'], ['cancel']] },
  'a first payment that comes late': {
    from: unstartedSample(),
    steps: [
      ['start'],
      ['payment_reminder', { nowMs: sampleNowMs + 21 * dayMs }],
      [60],
      revive(1, sampleNowMs + 60 * dayMs),
    ],
  },
  'a checkout that is superseded': { from: unstartedSample(atStripe), steps: [['start'], ['supersede']] },
  'an activation, and a repeat of it': {
    from: unstartedSample({ ...atStripe, plan: { ...soldPlan, quantity: 3, features: ['All'] } }),
    steps: [
      ['start'],
      ['payment_processing', { payment: paymentOf(2_997), processingUntilMs: sampleNowMs + dayMs }],
      pay({ isActivation: true }),
      pay({ paid: [1], isActivation: true }),
    ],
  },
  'a customer with a VAT id in another member state': {
    from: unstartedSample({ seller: taxedSeller }),
    client: { ...german, vatId: 'DE123456789' },
    steps: [['start']],
  },
  'a customer of a country without a rate, by Stripe': {
    from: unstartedSample({ seller: taxedSeller, ...atStripe }),
    client: { address: { line1: 'Street 1', city: 'Town', country: 'US' } },
    steps: [['start'], pay({ by: 'gateway', paymentId: 'pi_1' })],
  },
  'a start on a later date': {
    from: unstartedSample({ startAtMs: sampleNowMs + 5 * dayMs }),
    steps: [
      ['start'],
      pay({ replaced: { kind: 'arrears', fromMs: sampleNowMs - dayMs, graceDays: 7 } }),
      changeTo(otherPlan),
    ],
  },
  'a replaced trial that ends now': {
    from: unstartedSample(),
    steps: [
      ['start'],
      pay({ replaced: { kind: 'trial', startMs: sampleNowMs - 4 * dayMs, endMs: sampleNowMs } }),
    ],
  },
  'a replaced trial': {
    from: unstartedSample(),
    steps: [
      ['start'],
      pay({ replaced: { kind: 'trial', startMs: sampleNowMs - 4 * dayMs, endMs: sampleNowMs + 10 * dayMs } }),
      ['pause', { resumesAtMs: sampleNowMs + 3 * dayMs }],
      [4],
    ],
  },
  'a replaced subscription that is overdue': {
    from: unstartedSample(),
    steps: [['start'], pay({ replaced: { kind: 'arrears', fromMs: sampleNowMs - 9 * dayMs, graceDays: 7 } })],
  },
  'a replaced payment that was disputed before its term': {
    from: unstartedSample(),
    steps: [['start'], pay({ replaced: { kind: 'arrears', fromMs: sampleNowMs + 9 * dayMs, graceDays: 7 } })],
  },
  'a new term from now, by the setting': {
    from: unstartedSample({ policy: { ...unstartedSample().policy, newTermStart: 'now' } }),
    steps: [['start'], pay({ replaced: { kind: 'arrears', fromMs: sampleNowMs - 9 * dayMs, graceDays: 7 } })],
  },
  'a trial by Stripe': {
    from: unstartedSample(atStripe),
    steps: [
      ['start', { trial: { days: 14, isUsed: false, hasConcurrent: false } }],
      ['extend_trial', { untilMs: sampleNowMs + 20 * dayMs }],
      ['extend_trial', { untilMs: sampleNowMs + 20 * dayMs }],
      ['extend_trial', { untilMs: sampleNowMs + 19 * dayMs }],
      ['cancel_at_period_end'],
      ['uncancel'],
      [18],
      ['change_plan', { planChange: { plan: otherPlan, proration: 'credit', invoices: [] } }],
      ['extend_trial', { untilMs: sampleNowMs + 22 * dayMs }],
      [3],
      ['payment_processing', { payment: paymentOf(999), processingUntilMs: sampleNowMs + 30 * dayMs }],
      ['payment_failed', { payment: paymentOf(999) }],
      [10],
      revive(2, sampleNowMs + 25 * dayMs),
    ],
  },
  'a trial of two days, paid before its invoice': {
    from: unstartedSample({ ...atStripe, policy: { ...unstartedSample().policy, trialReminderDays: 3 } }),
    steps: [
      ['start', { trial: { days: 2, isUsed: false, hasConcurrent: false } }],
      ['payment', paying(999, { parts: [[1, 999]] })],
    ],
  },
  'a trial that runs late': {
    from: sampleOf('trialing', { ...onTrial, timer: { step: 'trial_reminder', dueAtMs: sampleNowMs } }),
    steps: [
      ['trial_reminder', { nowMs: sampleNowMs + 4 * dayMs, atMs: sampleNowMs, by: 'timer' }],
      ['trial_end', { nowMs: sampleNowMs + 5 * dayMs, atMs: sampleNowMs + 4 * dayMs, by: 'timer' }],
    ],
  },
  'a trial that credit pays': {
    from: unstartedSample(),
    client: { credit: { EUR: 999 } },
    steps: [['start', { trial: { days: 7, isUsed: false, hasConcurrent: false } }], [8]],
  },
  'a trial of a free plan': {
    from: unstartedSample({ plan: freePlan }),
    steps: [['start', { trial: { days: 14, isUsed: false, hasConcurrent: false } }], [60]],
  },
  'a free plan': { from: unstartedSample({ plan: freePlan }), steps: [['start'], [60], ['replace']] },
  // Polar, trial_end_rebases: terms are counted from the end of the trial.
  'a trial that is paid after its reminder': {
    from: unstartedSample(),
    steps: [
      ['start', { trial: { days: 7, isUsed: false, hasConcurrent: false } }],
      [5],
      payAll,
      [30],
      payAll,
    ],
  },
};
