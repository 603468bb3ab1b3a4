import fc from 'fast-check';
import { dayMs, hourMs } from '../../../../../functions/shared/runtime/clock.ts';
import {
  type Access,
  accessAt,
  hasLapsed,
  isEntitled,
} from '../../../../../functions/subscriptions/record/access.ts';
import { billingPolicy } from '../../../../../functions/subscriptions/record/policy.ts';
import {
  type Subscription,
  type SubscriptionFields,
  statuses,
} from '../../../../../functions/subscriptions/record/subscription.ts';
import { subscriptionRecord } from '../../../../support/subscriptions/sold.ts';

const t0 = Date.UTC(2026, 0, 31, 12);
const policy = billingPolicy({});
const fresh = { startAtMs: t0, createdAtMs: t0, updatedAtMs: t0, policy };
const covered = {
  n: 1,
  invoiceId: 'inv_1',
  totalMinor: 900,
  settled: { fromCreditMinor: 900 },
  currency: 'EUR',
};
const free = { plan: Object.assign({}, subscriptionRecord().plan, { priceMinor: 0 }) };
const processing = [{ paymentId: 'pay_1', untilMs: t0 + 40 * dayMs }];
const paid = { ...fresh, termStartMs: t0, termEndMs: t0 + 30 * dayMs };

function of(more: Partial<SubscriptionFields>): Subscription {
  return subscriptionRecord({ ...fresh, ...more });
}

/** Checks the access from each day after t0 on, such as `0 full, 30 grace`, to the last millisecond before the next one. */
function expectSpans(subscription: Subscription, text: string) {
  const spans = text.split(', ').map((span) => span.split(' '));
  for (const [i, [day, access]] of spans.entries()) {
    const next = Number(spans[i + 1]?.[0] ?? 1_000);
    expect([day, accessAt(subscription, t0 + Number(day) * dayMs)]).toEqual([day, access]);
    expect([next, accessAt(subscription, t0 + next * dayMs - 1)]).toEqual([next, access]);
  }
}

test('full and grace entitle a subscriber, restricted and none do not', () => {
  expect((['full', 'grace', 'restricted', 'none'] as const).map(isEntitled)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

describe('access, to the millisecond', () => {
  test('is full during a trial and none after it, even if the step is late', () => {
    const trial = of({ status: 'trialing', trialStartMs: t0, trialEndMs: t0 + 14 * dayMs });
    expectSpans(trial, '-1 none, 0 full, 14 none');
  });

  test('continues without a gap from a paid trial into the term', () => {
    const end = t0 + 14 * dayMs;
    const terms = { termStartMs: end, termEndMs: end + 30 * dayMs };
    const subscription = of({ status: 'active', trialStartMs: t0, trialEndMs: end, ...terms });
    expectSpans(subscription, '-1 none, 0 full, 44 grace, 51 restricted, 65 none');
  });

  test('falls to grace, restricted and none after an unpaid term that renews, even if the status is late', () => {
    const spans = '-1 none, 0 full, 30 grace, 37 restricted, 51 none';
    expectSpans(of({ ...paid, status: 'active' }), spans);
    const dunning = { fromMs: t0 + 30 * dayMs, reminders: 1 };
    expectSpans(of({ ...paid, status: 'past_due', dunning }), spans);
  });

  test('is none after a term that does not renew or is cancelled at its end', () => {
    for (const more of [{ autoRenew: false }, { cancelAtPeriodEnd: true }])
      expectSpans(of({ ...paid, ...more, status: 'active' }), '0 full, 30 none');
  });

  test('follows the billing policy that the subscription was sold with', () => {
    const strict = { ...policy, graceDays: 0, endsAfterDays: 2 };
    expectSpans(of({ ...paid, status: 'active', policy: strict }), '0 full, 30 restricted, 32 none');
    const kind = { ...policy, graceDays: 5, endsAfterDays: 5 };
    expectSpans(of({ ...paid, status: 'active', policy: kind }), '0 full, 30 grace, 35 none');
  });

  test('counts the grace period from the reversal of a payment in the middle of the term', () => {
    const dunning = { fromMs: t0 + 5 * dayMs, reminders: 0 };
    expectSpans(of({ ...paid, status: 'past_due', dunning }), '5 grace, 12 restricted, 26 none');
  });

  test.each(['none', 'restricted', 'full'] as const)(
    'is %s while pending, as the policy says, until the payment deadline',
    (pendingAccess) => {
      const pendingUntil = { paymentDeadlineMs: t0 + 21 * dayMs, policy: { ...policy, pendingAccess } };
      expectSpans(of({ ...pendingUntil, status: 'pending' }), `-1 none, 0 ${pendingAccess}, 21 none`);
      expectSpans(
        of({ ...pendingUntil, status: 'pending', startAtMs: t0 + 3 * dayMs }),
        `0 none, 3 ${pendingAccess}, 21 none`,
      );
    },
  );

  test('is none during a pause without an end', () => {
    expectSpans(of({ ...paid, status: 'paused', pausedAtMs: t0 + 10 * dayMs }), '-1 none, 10 none, 400 none');
  });

  test('returns at the end of a pause, for the remainder of the term', () => {
    const pause = { pausedAtMs: t0 + 10 * dayMs, resumesAtMs: t0 + 15 * dayMs };
    const spans = '10 none, 15 full, 35 grace, 42 restricted, 56 none';
    expectSpans(of({ ...paid, ...pause, status: 'paused' }), spans);
    expectSpans(of({ ...paid, ...pause, status: 'paused', autoRenew: false }), '10 none, 15 full, 35 none');
  });

  test('is extended by the part of a pause after access began, even before the paid term', () => {
    const terms = { termStartMs: t0 + 14 * dayMs, termEndMs: t0 + 44 * dayMs };
    const paused = { ...terms, status: 'paused', pausedAtMs: t0 + 4 * dayMs } as const;
    expectSpans(
      of({ ...paused, resumesAtMs: t0 + 20 * dayMs }),
      '4 none, 20 full, 60 grace, 67 restricted, 81 none',
    );
    expectSpans(of({ ...paused, ...free }), '0 none');
    expectSpans(
      of({ ...paused, startAtMs: t0 + 14 * dayMs, resumesAtMs: t0 + 20 * dayMs }),
      '4 none, 20 full, 50 grace, 57 restricted, 71 none',
    );
  });

  test.each(['cancelled', 'expired'] as const)(
    'is none for a %s subscription, whatever its dates',
    (status) => {
      expectSpans(
        of({ ...paid, status, trialStartMs: t0, trialEndMs: t0 + 99 * dayMs }),
        '-1 none, 0 none, 30 none',
      );
    },
  );
});

describe('access at the ends of what is owed', () => {
  const trial = { status: 'trialing', trialStartMs: t0, trialEndMs: t0 + 14 * dayMs } as const;

  test('is full in the rest of a trial that was given back, and none until the term', () => {
    const trialRemainder = { fromMs: t0 - 10 * dayMs, untilMs: t0 - 5 * dayMs };
    for (const status of ['active', 'past_due'] as const)
      expectSpans(
        of({ ...paid, status, trialRemainder, dunning: { fromMs: t0 + 30 * dayMs, reminders: 0 } }),
        '-11 none, -10 full, -5 none, 0 full, 30 grace, 37 restricted, 51 none',
      );
    expectSpans(of({ ...paid, status: 'pending', trialRemainder, paymentDeadlineMs: t0 }), '-11 none');
    expectSpans(of({ ...paid, status: 'active', autoRenew: false }), '-11 none, 0 full, 30 none');
  });

  test('goes on after the trial of a free plan, or of one whose invoice credit covers, unless it is cancelled', () => {
    for (const more of [free, { openInvoices: [covered] }]) {
      expectSpans(of({ ...trial, ...more }), '0 full, 400 full');
      expectSpans(of({ ...trial, ...more, cancelAtPeriodEnd: true }), '0 full, 14 none');
    }
    expectSpans(of({ ...paid, ...free, status: 'active' }), '0 full');
  });

  test('waits for a payment under way, as the policy says', () => {
    const unchanged = billingPolicy({ payments: { processingAccess: 'unchanged' } });
    const restricted = billingPolicy({ payments: { processingAccess: 'restricted' } });
    const pending = { status: 'pending', paymentDeadlineMs: t0 + 21 * dayMs } as const;
    expectSpans(of({ ...trial, processing, policy: unchanged }), '0 full, 40 none');
    expectSpans(of({ ...trial, processing, policy: restricted }), '0 full, 14 restricted, 40 none');
    expectSpans(
      of({ ...pending, processing, policy: { ...unchanged, pendingAccess: 'full' } }),
      '0 full, 40 none',
    );
    const pastDue = {
      ...paid,
      status: 'past_due',
      dunning: { fromMs: t0, reminders: 0 },
      processing,
    } as const;
    expectSpans(of({ ...pastDue, policy: unchanged }), '0 grace, 7 restricted, 40 none');
    expectSpans(
      of({ ...pastDue, policy: billingPolicy({ payments: { processingAccess: 'full' } }) }),
      '0 full, 40 none',
    );
  });

  test('of a reversal in the last term ends with the term, and one before the term begins later', () => {
    const dunning = { fromMs: t0 + 28 * dayMs, reminders: 0 };
    expectSpans(of({ ...paid, status: 'past_due', autoRenew: false, dunning }), '0 full, 28 grace, 30 none');
    expectSpans(of({ ...paid, status: 'past_due', dunning }), '0 full, 28 grace, 35 restricted, 49 none');
  });
});

describe('a subscription has ended by its dates', () => {
  const dunning = { fromMs: t0, reminders: 0 };
  const trial = { status: 'trialing', trialEndMs: t0 + 14 * dayMs } as const;
  const last = { ...paid, status: 'active', autoRenew: false } as const;

  test.each<[string, Partial<SubscriptionFields>, number]>([
    ['at the end of a trial', trial, 14],
    ['at the end of the last term', last, 30],
    ['at the end of dunning', { ...paid, status: 'past_due', dunning }, 21],
    ['after a payment that was under way at the end of a trial', { ...trial, processing }, 40],
    [
      'after a payment that was under way in dunning',
      { ...paid, status: 'past_due', dunning, processing },
      40,
    ],
  ])('%s', (_, more, day) => {
    const endMs = t0 + day * dayMs;
    expect([endMs - 1, endMs].map((atMs) => hasLapsed(of(more), atMs))).toEqual([false, true]);
  });

  test.each<[string, Partial<SubscriptionFields>]>([
    ['a free plan after its trial', { ...trial, ...free }],
    ['a trial whose first invoice is covered', { ...trial, openInvoices: [covered] }],
    ['a term that renews', { ...paid, status: 'active' }],
    ['a paused one', { ...paid, status: 'paused', autoRenew: false }],
  ])('but not %s', (_, more) => expect(hasLapsed(of(more), t0 + 1_000 * dayMs)).toBe(false));
});

describe('for any subscription, whatever its dates', () => {
  const time = fc.integer({ min: -200, max: 200 }).map((hours) => t0 + hours * hourMs);
  const dates = [
    'trialStartMs',
    'trialEndMs',
    'termStartMs',
    'termEndMs',
    'paymentDeadlineMs',
    'pausedAtMs',
    'resumesAtMs',
  ] as const;
  const any = fc
    .record({
      status: fc.constantFrom(...statuses),
      startAtMs: time,
      autoRenew: fc.boolean(),
      cancelAtPeriodEnd: fc.boolean(),
      dunning: time.map((fromMs) => ({ fromMs, reminders: 0 })),
      dated: fc.record(Object.fromEntries(dates.map((name) => [name, time]))),
    })
    .map(({ dated, dunning, ...rest }) => of({ ...rest, ...dated, dunning }));

  test('access is none before it reaches its highest level, and never rises after it', () => {
    const rank: Record<Access, number> = { none: 0, restricted: 1, grace: 2, full: 3 };
    fc.assert(
      fc.property(any, (subscription) => {
        const ranks = Array.from(
          { length: 120 },
          (_, i) => rank[accessAt(subscription, t0 + (i - 30) * 12 * hourMs)],
        );
        const highest = ranks.indexOf(Math.max(...ranks));
        expect(ranks.slice(0, highest).every((one) => one === 0)).toBe(true);
        expect(ranks.slice(highest)).toEqual(ranks.slice(highest).toSorted((a, b) => b - a));
      }),
      { numRuns: 60 },
    );
  });

  test('access ends eventually', () => {
    fc.assert(fc.property(any, (subscription) => accessAt(subscription, t0 + 1_000 * dayMs) === 'none'));
  });
});
