import { defined } from '../../../../functions/shared/contract/defined.ts';
import { isoTime } from '../../../../functions/shared/runtime/clock.ts';
import type { Status, SubscriptionFields } from '../../../../functions/subscriptions/record/subscription.ts';
import { call, newSeller, type Tenant } from '../../../support/call.ts';
import {
  putFor,
  putSubscription,
  soldPlan,
  withSubscriptions,
} from '../../../support/subscriptions/records.ts';
import { inTerm, onTrial, sampleOf } from '../../../support/subscriptions/state-samples.ts';

const list = (seller: Tenant, query: Record<string, string>) =>
  call('subscriptions.list', { headers: seller.headers, query });
const ids = (subscriptions: { _id: string }[]) => subscriptions.map(({ _id }) => _id);

describe('the history of a client', () => {
  test('lists all subscriptions of the client, newest first, and no other records', async () => {
    const { seller, externalId, ids: made } = await withSubscriptions('cancelled', 'active', 'pending');
    const client = { externalId, email: 'ann@example.com' };
    await call('clients.upsert', { headers: seller.headers, body: client });
    const { status, body } = await list(seller, { externalId });
    expect([status, ids(body.subscriptions)]).toEqual([200, made.toReversed()]);
    expect(body).not.toHaveProperty('nextCursor');
    const { subscription } = (await seller.current(externalId)).body;
    expect(body.subscriptions[1]).toEqual(subscription);
  });

  test('comes in pages without gaps or repeats', async () => {
    const { seller, externalId, ids: made } = await withSubscriptions(...Array<Status>(7).fill('cancelled'));
    const seen: string[] = [];
    const sizes: number[] = [];
    let cursor: string | undefined;
    do {
      const { body } = await list(seller, { externalId, limit: '3', ...defined({ cursor }) });
      seen.push(...ids(body.subscriptions));
      sizes.push(body.subscriptions.length);
      cursor = body.nextCursor;
    } while (cursor !== undefined);
    expect([seen, sizes]).toEqual([made.toReversed(), [3, 3, 1]]);
  });
});

describe('a search by reference number', () => {
  test('finds the subscription, however the number is typed', async () => {
    const seller = await newSeller();
    const { referenceNumber, subscriptionId } = await putFor(seller);
    for (const typed of [referenceNumber, ` ${referenceNumber.toLowerCase().replace('-', ' ')} `])
      expect(ids((await list(seller, { referenceNumber: typed })).body.subscriptions)).toEqual([
        subscriptionId,
      ]);
  });

  test('refuses a mistyped number and says so', async () => {
    const seller = await newSeller();
    const { referenceNumber } = await putFor(seller);
    const wrong = referenceNumber.slice(0, -1) + (referenceNumber.endsWith('7') ? '8' : '7');
    for (const typed of [wrong, '']) {
      const { status, body } = await list(seller, { referenceNumber: typed });
      expect([status, body.details]).toEqual([400, { referenceNumber: expect.stringContaining('mistyped') }]);
    }
  });

  test('refuses a number or a client together with another filter, and names the fields', async () => {
    const seller = await newSeller();
    const { referenceNumber, externalId } = await putFor(seller);
    for (const query of [
      { externalId, referenceNumber },
      { externalId, status: 'active' },
      { referenceNumber, from: '2026-01-01', to: '2026-02-01' },
      { externalId, planId: 'pln_1' },
    ]) {
      const { status, body } = await list(seller, query as unknown as Record<string, string>);
      expect([status, Object.keys(body.details)]).toEqual([400, Object.keys(query)]);
    }
  });
});

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
    const { status, body } = await seller.current(one.externalId);
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

  const ended = { endedAtMs: 2, endReason: 'unpaid' } as const;

  test.each<[string, Partial<SubscriptionFields>, number]>([
    ['trialing: the end of the trial', { status: 'trialing', ...onTrial, trialEndMs: 3 }, 3],
    ['pending: the time of creation', { status: 'pending' }, 1],
    [
      'expired after its trial: the end of the trial',
      { status: 'expired', ...ended, trialStartMs: 1, trialEndMs: 3 },
      3,
    ],
    ['cancelled before it was paid: the time of creation', { status: 'cancelled', ...ended }, 1],
    [
      'active after a trial: the end of the term',
      { ...inTerm, trialStartMs: 1, trialEndMs: 3, termEndMs: 4 },
      4,
    ],
  ])('has an endDate while it is %s', async (_, fields, endMs) => {
    const seller = await newSeller();
    const { applicationId } = seller;
    const one = sampleOf(fields.status ?? 'active', { createdAtMs: 1, applicationId, ...fields });
    await putSubscription(one);
    const { body } = await seller.current(one.externalId);
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
      expect((await seller.current(externalId)).body.subscription._id).toBe(ids[expected]);
    },
  );
});
