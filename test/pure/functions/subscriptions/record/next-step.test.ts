import { dayMs } from '../../../../../functions/shared/runtime/clock.ts';
import { nextStep } from '../../../../../functions/subscriptions/record/next-step.ts';
import type {
  Status,
  SubscriptionFields,
} from '../../../../../functions/subscriptions/record/subscription.ts';
import { longestNoticeDays } from '../../../../../functions/subscriptions/record/term.ts';
import {
  grantedInvoice,
  inTerm,
  sampleNowMs,
  sampleOf,
} from '../../../../support/subscriptions/state-samples.ts';

const inDays = (days: number) => sampleNowMs + days * dayMs;
const trial = (days: number): Partial<SubscriptionFields> => ({
  trialStartMs: sampleNowMs,
  trialEndMs: inDays(days),
  trialReminderSent: false,
});

test.each<[string, Status, Partial<SubscriptionFields>, string]>([
  ['three days', 'trialing', trial(3), 'trial_reminder +2'],
  ['four days', 'trialing', trial(4), 'trial_reminder +1'],
  ['no end of its pause', 'paused', { ...inTerm, pausedAtMs: sampleNowMs }, 'none'],
  [
    'a change that is due after its renewal invoice, and another one before',
    'active',
    { ...inTerm, openInvoices: [15, 14].map((days) => ({ ...grantedInvoice, dueAtMs: inDays(days) })) },
    'renewal_invoice +13',
  ],
  [
    'a change that is due before its renewal invoice',
    'active',
    { ...inTerm, openInvoices: [15, 9].map((days) => ({ ...grantedInvoice, dueAtMs: inDays(days) })) },
    'invoice_due +9',
  ],
])('the next step of a subscription with %s', (_, status, fields, expected) => {
  const timer = nextStep(sampleOf(status, fields));
  expect(timer === undefined ? 'none' : `${timer.step} +${(timer.dueAtMs - sampleNowMs) / dayMs}`).toBe(
    expected,
  );
});

test('a renewal invoice comes at most half a term before the next', () => {
  const cycles = ['weekly', 'monthly', 'quarterly', 'semiannual', 'annual'] as const;
  expect(cycles.map(longestNoticeDays)).toEqual([3, 14, 42, 84, 168]);
});
