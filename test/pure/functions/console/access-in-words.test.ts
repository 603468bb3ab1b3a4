import { accessInWords } from '../../../../functions/console/customers/access-in-words.ts';
import type { Invoice } from '../../../../functions/invoices/invoice.ts';
import { dayMs } from '../../../../functions/shared/runtime/clock.ts';
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

/** With dates as days from now, such as `day -1`. */
const inDays = (sentence: string) =>
  sentence.replaceAll(
    /\d+ \w+ 2027(, 12:00 UTC)?/g,
    (date) => `day ${Math.round((Date.parse(date.replace(/,.*/, ' 12:00 UTC')) - sampleNowMs) / dayMs)}`,
  );

test('the sentence names times as people write them', () => {
  expect(inWords(sampleOf('trialing', onTrial))).toBe(
    'Access until 14 March 2027, 12:00 UTC: it is on trial.',
  );
});

type Row = [
  sentence: string,
  status: Status,
  fields: Partial<SubscriptionFields>,
  days?: number,
  invoice?: (subscription: Subscription) => Invoice,
];

const due = 'invoice INV-7K3M9XQP-2 of EUR 9.99';
const ended = { endedAtMs: day(-1) };
const waiting = { paymentDeadlineMs: day(5) };
const later = { ...inTerm, startAtMs: day(3) };
const trialRemainder = { fromMs: day(-3), untilMs: day(3) };

test.each<Row>([
  [
    'Access until day 4: it is on trial, and is cancelled at the end of the trial.',
    'trialing',
    { ...onTrial, cancelAtPeriodEnd: true },
  ],
  ['Access: it is on trial.', 'trialing', { ...onTrial, plan: freePlan }],
  ['Access: the trial is over, and nothing is due.', 'trialing', { ...onTrial, plan: freePlan }, 5],
  ['No access since day 4: the trial ended without a payment.', 'trialing', onTrial, 5],
  [
    'Access until day 60: the trial is over, and a payment is under way.',
    'trialing',
    { ...onTrial, processing },
    5,
  ],
  [
    `No access: ${due} was due on day -1, 1 day ago, and its payment starts the subscription.`,
    'pending',
    waiting,
    0,
    open,
  ],
  ['No access: the first invoice is not paid, and its payment starts the subscription.', 'pending', waiting],
  ['No access: the first invoice was not paid in time.', 'pending', waiting, 6, open],
  ['Access until day 20: the term is paid with INV-7K3M9XQP-1.', 'active', inTerm, 0, paid],
  ['Access until day 20: the term is granted or paid from credit.', 'active', inTerm],
  ['Access: the plan is free.', 'active', { ...inTerm, plan: freePlan }],
  ['Access: the plan is free.', 'active', { ...inTerm, plan: freePlan }, 21],
  ['No access since day 20: automatic renewal was off.', 'active', { ...inTerm, autoRenew: false }, 21],
  [
    'No access since day 20: it was cancelled at the end of the period.',
    'active',
    { ...inTerm, cancelAtPeriodEnd: true },
    21,
  ],
  [
    `Access in the grace period until day 27: ${due} was due on day 20, 1 day ago.`,
    'active',
    inTerm,
    21,
    (one) => open(one, { dueAtMs: day(20) }),
  ],
  ['No access until day 3: the subscription starts then.', 'active', later],
  [
    'Access: the trial of the previous subscription continues.',
    'active',
    Object.assign({ trialRemainder }, later),
  ],
  [
    `Access in the grace period until day 6: ${due} was due on day 0, 1 day ago.`,
    'past_due',
    pastDue,
    0,
    (one) => open(one, { seller: { ...one.seller, ...ahead } }),
  ],
  [
    `Access in the grace period until day 6: ${due} was due on day -1, 1 day ago.`,
    'past_due',
    pastDue,
    0,
    open,
  ],
  [
    `Restricted access until day 20: the payment of ${due} was reversed, and it was due on day -1, 11 days ago.`,
    'past_due',
    pastDue,
    10,
    (one) => open(one, { reversed: true }),
  ],
  [`No access since day 20: ${due} was due on day -1, 22 days ago.`, 'past_due', pastDue, 21, open],
  [
    'Restricted access until day 60: a payment has been missing since day -1, and a payment is under way.',
    'past_due',
    { ...pastDue, processing },
    21,
  ],
  ['No access since day -1: automatic renewal was off.', 'past_due', { ...pastDue, autoRenew: false }],
  ['No access since day -2: it is paused until somebody resumes it.', 'paused', paused],
  ['No access since day -2: it is paused until day 2.', 'paused', { ...paused, resumesAtMs: day(2) }],
  [
    'Access until day 24: the term is paid with INV-7K3M9XQP-1.',
    'paused',
    { ...paused, resumesAtMs: day(2) },
    3,
    paid,
  ],
  ['No access since day -1: it was cancelled.', 'cancelled', { ...ended, endReason: 'cancelled' }],
  ['No access since day -1: no payment arrived.', 'expired', { ...ended, endReason: 'unpaid' }],
])('%s (%s, %o, after %s days)', (sentence, status, fields, days = 0, invoice) => {
  const subscription = sampleOf(status, fields);
  const read = invoice === undefined ? [] : [invoice(subscription)];
  expect(inDays(inWords(subscription, day(days), read))).toBe(sentence);
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
