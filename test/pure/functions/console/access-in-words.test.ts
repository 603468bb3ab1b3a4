import { describe, expect, test } from 'vitest';
import { accessInWords } from '../../../../functions/console/customers/access-in-words.ts';
import type { Invoice } from '../../../../functions/invoices/invoice.ts';
import { dayMs } from '../../../../functions/shared/runtime/duration.ts';
import { accessAt } from '../../../../functions/subscriptions/record/access.ts';
import {
  type Status,
  type Subscription,
  type SubscriptionFields,
  statuses,
} from '../../../../functions/subscriptions/record/subscription.ts';
import { invoiceRecord } from '../../../support/subscriptions/sold.ts';
import {
  freePlan,
  inTerm,
  namedSamplesIn,
  onTrial,
  sampleNowMs,
  sampleOf,
} from '../../../support/subscriptions/state-samples.ts';

const day = (days: number) => sampleNowMs + days * dayMs;

const inWords = (subscription: Subscription, nowMs = sampleNowMs, invoices: readonly Invoice[] = []) =>
  // Amounts have a no-break space.
  accessInWords({ subscription, access: accessAt(subscription, nowMs), invoices, nowMs }).replaceAll(
    '\u00A0',
    ' ',
  );

const paid = (subscription: Subscription) =>
  invoiceRecord(subscription, 1, {
    number: 'INV-7K3M9XQP-1',
    status: 'paid',
    periodStartMs: day(-10),
    periodEndMs: day(20),
  });
const open = (subscription: Subscription, more: Partial<Invoice> = {}) =>
  invoiceRecord(subscription, 2, { number: 'INV-7K3M9XQP-2', status: 'open', dueAtMs: day(-1), ...more });

const pastDue = { ...inTerm, termEndMs: day(-1), dunning: { fromMs: day(-1), reminders: 0 } };
/** On the clock of the seller, which is ahead of UTC by 14 hours. */
const ahead = { timeZone: 'Pacific/Kiritimati' };
const processing = [{ paymentId: 'pay_1', n: 1, amountMinor: 999, currency: 'EUR', untilMs: day(60) }];
const paused = { ...inTerm, pausedAtMs: day(-2) };

type Row = [
  status: Status,
  fields: Partial<SubscriptionFields>,
  days: number,
  invoices: readonly ((subscription: Subscription) => Invoice)[],
  sentence: string,
];

const rows: Row[] = [
  ['trialing', onTrial, 0, [], 'Access until 14 March 2027, 12:00 UTC: it is on trial.'],
  [
    'trialing',
    { ...onTrial, cancelAtPeriodEnd: true },
    0,
    [],
    'Access until 14 March 2027, 12:00 UTC: it is on trial, and is cancelled at the end of the trial.',
  ],
  ['trialing', { ...onTrial, plan: freePlan }, 0, [], 'Access: it is on trial.'],
  ['trialing', { ...onTrial, plan: freePlan }, 5, [], 'Access: the trial is over, and nothing is due.'],
  [
    'trialing',
    onTrial,
    5,
    [],
    'No access since 14 March 2027, 12:00 UTC: the trial ended without a payment.',
  ],
  [
    'trialing',
    { ...onTrial, processing },
    5,
    [],
    'Access until 9 May 2027, 12:00 UTC: the trial is over, and a payment is under way.',
  ],
  [
    'pending',
    { paymentDeadlineMs: day(5) },
    0,
    [open],
    'No access: invoice INV-7K3M9XQP-2 of EUR 9.99 was due on 9 March 2027, 1 day ago, and its payment starts the subscription.',
  ],
  [
    'pending',
    { paymentDeadlineMs: day(5) },
    0,
    [],
    'No access: the first invoice is not paid, and its payment starts the subscription.',
  ],
  ['pending', { paymentDeadlineMs: day(5) }, 6, [open], 'No access: the first invoice was not paid in time.'],
  [
    'active',
    inTerm,
    0,
    [paid],
    'Access until 30 March 2027, 12:00 UTC: the term is paid with INV-7K3M9XQP-1.',
  ],
  [
    'active',
    inTerm,
    0,
    [],
    'Access until 30 March 2027, 12:00 UTC: the term is granted or paid from credit.',
  ],
  ['active', { ...inTerm, plan: freePlan }, 0, [], 'Access: the plan is free.'],
  ['active', { ...inTerm, plan: freePlan }, 21, [], 'Access: the plan is free.'],
  [
    'active',
    { ...inTerm, autoRenew: false },
    21,
    [],
    'No access since 30 March 2027, 12:00 UTC: automatic renewal was off.',
  ],
  [
    'active',
    { ...inTerm, cancelAtPeriodEnd: true },
    21,
    [],
    'No access since 30 March 2027, 12:00 UTC: it was cancelled at the end of the period.',
  ],
  [
    'active',
    inTerm,
    21,
    [(one) => open(one, { dueAtMs: day(20) })],
    'Access in the grace period until 6 April 2027, 12:00 UTC: invoice INV-7K3M9XQP-2 of EUR 9.99 was due on 30 March 2027, 1 day ago.',
  ],
  [
    'active',
    { ...inTerm, startAtMs: day(3) },
    0,
    [],
    'No access until 13 March 2027, 12:00 UTC: the subscription starts then.',
  ],
  [
    'active',
    { ...inTerm, startAtMs: day(3), trialRemainder: { fromMs: day(-3), untilMs: day(3) } },
    0,
    [],
    'Access: the trial of the previous subscription continues.',
  ],
  [
    'past_due',
    pastDue,
    0,
    [(one) => open(one, { seller: { ...one.seller, ...ahead } })],
    'Access in the grace period until 16 March 2027, 12:00 UTC: invoice INV-7K3M9XQP-2 of EUR 9.99 was due on 10 March 2027, 1 day ago.',
  ],
  [
    'past_due',
    pastDue,
    0,
    [open],
    'Access in the grace period until 16 March 2027, 12:00 UTC: invoice INV-7K3M9XQP-2 of EUR 9.99 was due on 9 March 2027, 1 day ago.',
  ],
  [
    'past_due',
    pastDue,
    10,
    [(one) => open(one, { reversed: true })],
    'Restricted access until 30 March 2027, 12:00 UTC: the payment of invoice INV-7K3M9XQP-2 of EUR 9.99 was reversed, and it was due on 9 March 2027, 11 days ago.',
  ],
  [
    'past_due',
    pastDue,
    21,
    [open],
    'No access since 30 March 2027, 12:00 UTC: invoice INV-7K3M9XQP-2 of EUR 9.99 was due on 9 March 2027, 22 days ago.',
  ],
  [
    'past_due',
    { ...pastDue, processing },
    21,
    [],
    'Restricted access until 9 May 2027, 12:00 UTC: a payment has been missing since 9 March 2027, and a payment is under way.',
  ],
  [
    'past_due',
    { ...pastDue, autoRenew: false },
    0,
    [],
    'No access since 9 March 2027, 12:00 UTC: automatic renewal was off.',
  ],
  [
    'paused',
    paused,
    0,
    [],
    'No access since 8 March 2027, 12:00 UTC: it is paused until somebody resumes it.',
  ],
  [
    'paused',
    { ...paused, resumesAtMs: day(2) },
    0,
    [],
    'No access since 8 March 2027, 12:00 UTC: it is paused until 12 March 2027, 12:00 UTC.',
  ],
  [
    'paused',
    { ...paused, resumesAtMs: day(2) },
    3,
    [paid],
    'Access until 3 April 2027, 12:00 UTC: the term is paid with INV-7K3M9XQP-1.',
  ],
  [
    'cancelled',
    { endedAtMs: day(-1), endReason: 'cancelled' },
    0,
    [],
    'No access since 9 March 2027, 12:00 UTC: it was cancelled.',
  ],
  [
    'expired',
    { endedAtMs: day(-1), endReason: 'unpaid' },
    0,
    [],
    'No access since 9 March 2027, 12:00 UTC: no payment arrived.',
  ],
];

test.each(
  rows.map(([status, fields, days, invoices, sentence]) => ({ status, fields, days, invoices, sentence })),
)('$status after $days days: $sentence', ({ status, fields, days, invoices, sentence }) => {
  const subscription = sampleOf(status, fields);
  const read = invoices.map((invoice) => invoice(subscription));
  expect(inWords(subscription, day(days), read)).toBe(sentence);
});

/** The time that a sentence names after a word, in epoch milliseconds. */
function timeAfter(word: string, sentence: string): number | undefined {
  const [, time] = new RegExp(` ${word} (\\d[^:]*:\\d\\d UTC):`).exec(sentence) ?? [];
  return time === undefined ? undefined : Date.parse(time);
}

const beginnings = {
  full: /^Access( until|:)/,
  grace: /^Access in the grace period/,
  restricted: /^Restricted access/,
  none: /^No access/,
};

describe.each(statuses)('of a subscription that is %s, at any time,', (status) => {
  const times = [-9, -5, 0, 5, 21, 30, 40, 70].map(day);
  const cases = namedSamplesIn(status).flatMap(([name, subscription]) =>
    times.map((nowMs) => ({ name, subscription, nowMs, sentence: inWords(subscription, nowMs) })),
  );

  test('the sentence says the access that the application reads', () => {
    for (const { name, subscription, nowMs, sentence } of cases)
      expect(sentence, name).toMatch(beginnings[accessAt(subscription, nowMs)]);
  });

  test('the end that the sentence names is when the access changes', () => {
    for (const { name, subscription, nowMs, sentence } of cases) {
      const untilMs = timeAfter('until', sentence);
      if (untilMs === undefined) continue;
      const access = accessAt(subscription, nowMs);
      expect(accessAt(subscription, untilMs - 1), `${name}: ${sentence}`).toBe(access);
      expect(accessAt(subscription, untilMs), `${name}: ${sentence}`).not.toBe(access);
    }
  });

  test('the beginning that the sentence names is when the access changed, as far as the dates tell it', () => {
    const byDates = cases.filter(
      ({ subscription }) => !['paused', 'cancelled', 'expired'].includes(subscription.status),
    );
    for (const { name, subscription, nowMs, sentence } of byDates) {
      const sinceMs = timeAfter('since', sentence);
      if (sinceMs === undefined) continue;
      const access = accessAt(subscription, nowMs);
      expect(accessAt(subscription, sinceMs), `${name}: ${sentence}`).toBe(access);
      expect(accessAt(subscription, sinceMs - 1), `${name}: ${sentence}`).not.toBe(access);
    }
  });
});
