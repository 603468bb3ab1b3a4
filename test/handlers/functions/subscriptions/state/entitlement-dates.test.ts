import { describe, expect, test, vi } from 'vitest';
import { dayMs } from '../../../../../functions/shared/runtime/duration.ts';
import { liveUntil } from '../../../../support/subscriptions/courses.ts';
import {
  act,
  current,
  good,
  newClient,
  newPlan,
  newSeller,
  subscribe,
} from '../../../../support/subscriptions/requests.ts';
import { brought, noonMs, onTestClock } from '../../../../support/subscriptions/steps.ts';
import { stateOf } from '../../../../support/subscriptions/stored-state.ts';
import { leaveOutPdfs } from '../../../../support/subscriptions/unrendered-pdfs.ts';
import type { Tenant } from '../../../../support/tenants.ts';

onTestClock();
leaveOutPdfs();

const settings = {
  dunning: { reminderDays: [0, 3], endsAfterDays: 10, graceDays: 4 },
  pendingAccess: 'restricted',
};

type Begin = (seller: Tenant) => Promise<{ id: string; externalId: string }>;
const then =
  (status: 'trialing' | 'active', what: Parameters<typeof act>[1], body?: object): Begin =>
  async (seller) => {
    const one = await brought(seller, status);
    good(await act(seller, what, one.id, body));
    return one;
  };
const resumesAt = new Date(noonMs + 5 * dayMs).toISOString();

/** The access of a subscriber as `[from day, access]`, counted from the start of the test. */
const cases: [string, Begin, [number, string][]][] = [
  [
    'a paid trial',
    then('trialing', 'activate'),
    [
      [0, 'full'],
      [45, 'grace'],
      [49, 'restricted'],
      [55, 'none'],
    ],
  ],
  [
    'a term cancelled at its end',
    then('active', 'cancel', { atPeriodEnd: true }),
    [
      [0, 'full'],
      [31, 'none'],
    ],
  ],
  [
    'a pause with an end',
    then('active', 'pause', { resumesAt }),
    [
      [0, 'none'],
      [5, 'full'],
      [36, 'grace'],
      [40, 'restricted'],
      [46, 'none'],
    ],
  ],
  [
    'a pending first payment',
    (seller) => brought(seller, 'pending'),
    [
      [0, 'restricted'],
      [21, 'none'],
    ],
  ],
];

describe.each(cases)('%s', (_, begin, expected) => {
  test.each(['run on time', 'never run'])(
    'gives the right access before and at its changes when its timers %s',
    async (timers) => {
      const seller = await newSeller('none', settings);
      const { externalId } = await begin(seller);
      for (const [i, [day, level]] of expected.entries()) {
        for (const [ms, access] of [
          [noonMs + day * dayMs - 1, expected[i - 1]?.[1]],
          [noonMs + day * dayMs, level],
        ] as const) {
          if (access === undefined) continue;
          if (timers === 'run on time') await liveUntil(ms, () => stateOf(seller, externalId));
          vi.setSystemTime(ms);
          const { subscription } = good(await current(seller, externalId));
          const entitled = access === 'full' || access === 'grace';
          expect([ms, subscription.access, subscription.entitled]).toEqual([ms, access, entitled]);
        }
      }
    },
  );
});

test('a pending subscription gives its own access once the trial before it is over, however late the timer', async () => {
  const seller = await newSeller('none', { pendingAccess: 'full' });
  const { externalId } = await brought(seller, 'trialing');
  vi.setSystemTime(noonMs + 10 * dayMs);
  good(await subscribe(seller, { body: { externalId } }));
  vi.setSystemTime(noonMs + 15 * dayMs);
  expect((await current(seller, externalId)).body.subscription.access).toBe('full');
});

test('a free plan gives full access, however late the timer', async () => {
  const seller = await newSeller();
  const externalId = await newClient(seller);
  const planId = await newPlan(seller, { price: 0 });
  const { subscription } = good(await subscribe(seller, { body: { externalId, planId } }));
  good(await act(seller, 'activate', subscription._id));
  vi.setSystemTime(noonMs + 45 * dayMs);
  expect((await current(seller, externalId)).body.subscription.access).toBe('full');
});
