import { afterEach, describe, expect, test, vi } from 'vitest';
import { isoTime } from '../../../../functions/shared/runtime/clock.ts';
import type { Subscription } from '../../../../functions/subscriptions/state/subscription.ts';
import {
  putFor,
  putSubscription,
  soldPlan,
  subscriptionRecord,
  withSubscriptions,
} from '../../../support/subscriptions/records.ts';
import { current, newSeller } from '../../../support/subscriptions/requests.ts';

afterEach(() => {
  vi.useRealTimers();
});

describe('the current subscription', () => {
  test('shows every field of the contract, the plan as it was sold, and no stored attributes', async () => {
    const seller = await newSeller();
    const one = await putFor(seller, {
      successUrl: 'https://app.example/thanks',
      termIndex: 1,
      timer: { step: 'term_end', dueAtMs: 1 },
    });
    const { status, body } = await current(seller, one.externalId);
    expect(status).toBe(200);
    const { planId: _id, priceMinor: _, ...plan } = soldPlan;
    expect(body.subscription).toEqual({
      _id: one.subscriptionId,
      referenceNumber: one.referenceNumber,
      status: 'active',
      autoRenew: true,
      planId: { _id, ...plan, price: 9.99, features: [] },
      externalId: one.externalId,
      entitled: true,
      access: 'full',
      cancelAtPeriodEnd: false,
      startDate: isoTime(one.startAtMs),
      termStart: isoTime(one.startAtMs),
      endDate: isoTime(one.termEndMs ?? 0),
      createdAt: isoTime(one.createdAtMs),
    });
  });

  test.each<[string, Partial<Subscription>, number]>([
    ['trialing: the end of the trial', { status: 'trialing', trialStartMs: 1, trialEndMs: 3 }, 3],
    ['pending: the time of creation', { status: 'pending' }, 1],
    ['expired after its trial: the end of the trial', { status: 'expired', trialEndMs: 3 }, 3],
    ['cancelled before it was paid: the time of creation', { status: 'cancelled' }, 1],
    ['active after a trial: the end of the term', { trialEndMs: 3, termEndMs: 4 }, 4],
  ])('has an endDate while it is %s', async (_, fields, endMs) => {
    const seller = await newSeller();
    const { termStartMs: _start, termEndMs: _end, ...unpaid } = subscriptionRecord({ createdAtMs: 1 });
    const { applicationId } = seller;
    const one = Object.assign(unpaid, { applicationId }, fields);
    await putSubscription(one);
    const { body } = await current(seller, one.externalId);
    expect(body.subscription.endDate).toBe(isoTime(endMs));
  });

  test.each([
    [['trialing', 'cancelled', 'expired'], 0],
    [['cancelled', 'active', 'pending'], 1],
    [['past_due', 'pending', 'pending'], 0],
    [['expired', 'paused', 'cancelled'], 1],
    [['cancelled', 'expired', 'pending'], 2],
    // The superseding subscription is newer, even if a clock that is behind dates it earlier.
    [['pending', 'cancelled'], 0],
    [['expired', 'cancelled'], 1],
  ] as const)(
    'of a client with %j is number %d: the running one, else the newest',
    async (given, expected) => {
      const { seller, externalId, ids } = await withSubscriptions(...given);
      expect((await current(seller, externalId)).body.subscription._id).toBe(ids[expected]);
    },
  );

  test('is not found for a client without one, an unknown client, and a client of another application', async () => {
    const { externalId } = await withSubscriptions('active');
    const stranger = await newSeller();
    for (const id of [externalId, 'nobody', 'x'.repeat(128), '😀'.repeat(64)]) {
      const { status, body } = await current(stranger, id);
      expect([status, body.error]).toEqual([404, 'not_found']);
    }
  });
});
