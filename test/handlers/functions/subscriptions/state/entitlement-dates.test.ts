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
  subscribedByTransfer,
} from '../../../../support/subscriptions/requests.ts';
import { brought, noonMs, onTestClock } from '../../../../support/subscriptions/steps.ts';
import { stateOf } from '../../../../support/subscriptions/stored-state.ts';
import { leaveOutPdfs } from '../../../../support/subscriptions/unrendered-pdfs.ts';
import type { Tenant } from '../../../../support/tenants.ts';

onTestClock();
leaveOutPdfs();

const policies = { dunning: { reminderDays: [0, 3], endsAfterDays: 10, graceDays: 4 } };
const days = 55;

type Begin = (seller: Tenant) => Promise<{ id: string; externalId: string }>;
const withTerm =
  (body: object, after: (seller: Tenant, id: string) => Promise<unknown> = async () => undefined): Begin =>
  async (seller) => {
    const externalId = await newClient(seller);
    const id = await subscribedByTransfer(seller, { externalId, ...body });
    await after(seller, id);
    return { id, externalId };
  };
const on = (day: number) => new Date(noonMs + day * dayMs).toISOString();

/** The access of a subscriber as `[from day, access]`, counted from the start of the test. */
const cases: [string, { settings?: Record<string, unknown>; begin: Begin; expected: [number, string][] }][] =
  [
    [
      'a trial',
      {
        begin: (seller) => brought(seller, 'trialing'),
        expected: [
          [0, 'full'],
          [14, 'none'],
        ],
      },
    ],
    [
      'a trial cancelled at its end',
      {
        begin: async (seller) => {
          const one = await brought(seller, 'trialing');
          good(await act(seller, 'cancel', one.id, { atPeriodEnd: true }));
          return one;
        },
        expected: [
          [0, 'full'],
          [14, 'none'],
        ],
      },
    ],
    [
      'a paid trial',
      {
        settings: policies,
        begin: async (seller) => {
          const one = await brought(seller, 'trialing');
          good(await act(seller, 'activate', one.id));
          return one;
        },
        expected: [
          [0, 'full'],
          [45, 'grace'],
          [49, 'restricted'],
          [55, 'none'],
        ],
      },
    ],
    [
      'an unpaid renewal',
      {
        settings: policies,
        begin: withTerm({}),
        expected: [
          [0, 'full'],
          [31, 'grace'],
          [35, 'restricted'],
          [41, 'none'],
        ],
      },
    ],
    [
      'a term without renewal',
      {
        begin: withTerm({ autoRenew: false }),
        expected: [
          [0, 'full'],
          [31, 'none'],
        ],
      },
    ],
    [
      'a term cancelled at its end',
      {
        begin: withTerm({}, (seller, id) => act(seller, 'cancel', id, { atPeriodEnd: true })),
        expected: [
          [0, 'full'],
          [31, 'none'],
        ],
      },
    ],
    [
      'a term with a later start date',
      {
        settings: policies,
        begin: withTerm({ startDate: on(10) }),
        expected: [
          [0, 'none'],
          [10, 'full'],
          [41, 'grace'],
          [45, 'restricted'],
          [51, 'none'],
        ],
      },
    ],
    [
      'a pause with an end',
      {
        settings: policies,
        begin: withTerm({}, (seller, id) => act(seller, 'pause', id, { resumesAt: on(5) })),
        expected: [
          [0, 'none'],
          [5, 'full'],
          [36, 'grace'],
          [40, 'restricted'],
          [46, 'none'],
        ],
      },
    ],
    [
      'a pause without an end',
      { begin: withTerm({}, (seller, id) => act(seller, 'pause', id)), expected: [[0, 'none']] },
    ],
    ...(['none', 'restricted', 'full'] as const).map((pendingAccess): (typeof cases)[number] => [
      `a pending first payment with access ${pendingAccess}`,
      {
        settings: { pendingAccess },
        begin: (seller) => brought(seller, 'pending'),
        expected:
          pendingAccess === 'none'
            ? [[0, 'none']]
            : [
                [0, pendingAccess],
                [21, 'none'],
              ],
      },
    ]),
  ];

describe.each(cases)('%s', (_, { settings = {}, begin, expected }) => {
  /** Every change and the millisecond before it, and every fifth day: access that changes elsewhere is found. */
  const moments = [
    ...expected.flatMap(([day]) => [noonMs + day * dayMs - 1, noonMs + day * dayMs]),
    ...Array.from({ length: days / 5 + 1 }, (_, i) => noonMs + i * 5 * dayMs),
  ]
    .filter((ms) => ms >= noonMs)
    .toSorted((a, b) => a - b);
  const expectedOn = (ms: number) => expected.findLast(([day]) => noonMs + day * dayMs <= ms)?.[1];

  test.each(['run on time', 'never run'])(
    'gives the right access before, at and between its changes when its timers %s',
    async (timers) => {
      const seller = await newSeller('none', settings);
      const { externalId } = await begin(seller);
      const read = () => stateOf(seller, externalId);
      // Reading changes nothing: the next step stays the same until one was taken.
      let nextStepMs = (await read()).timer?.dueAtMs;
      for (const ms of moments) {
        if (timers === 'run on time' && nextStepMs !== undefined && nextStepMs <= ms) {
          await liveUntil(ms, read);
          nextStepMs = (await read()).timer?.dueAtMs;
        }
        vi.setSystemTime(ms);
        const { access, entitled } = (await current(seller, externalId)).body.subscription;
        expect(access, new Date(ms).toISOString()).toBe(expectedOn(ms));
        expect(entitled).toBe(access === 'full' || access === 'grace');
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
