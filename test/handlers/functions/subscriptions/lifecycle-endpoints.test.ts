import { describe, expect, test } from 'vitest';
import { type Status, statuses } from '../../../../functions/subscriptions/state/subscription.ts';
import { call } from '../../../support/call.ts';
import { act, asSeller, current, details, good, newSeller } from '../../../support/subscriptions/requests.ts';
import { brought, onTestClock } from '../../../support/subscriptions/steps.ts';
import { expectSound, itemsOf } from '../../../support/subscriptions/stored-state.ts';

onTestClock();

const actions = {
  activate: ['activate', undefined],
  cancel: ['cancel', undefined],
  'cancel at the end of the period': ['cancel', { atPeriodEnd: true }],
  uncancel: ['uncancel', undefined],
  pause: ['pause', undefined],
  resume: ['resume', undefined],
} as const;
type Action = keyof typeof actions;

/** The status after each action. 'same' responds with 200 and writes nothing; any other combination is refused. */
const allowed: Record<Action, Partial<Record<Status, Status | 'same'>>> = {
  activate: { pending: 'active', trialing: 'active', past_due: 'active', active: 'same' },
  cancel: {
    pending: 'cancelled',
    trialing: 'cancelled',
    active: 'cancelled',
    past_due: 'cancelled',
    paused: 'cancelled',
    expired: 'cancelled',
    cancelled: 'same',
  },
  'cancel at the end of the period': { trialing: 'trialing', active: 'active', cancelled: 'same' },
  uncancel: {},
  pause: { active: 'paused' },
  resume: { paused: 'active' },
};

const cases = (Object.keys(actions) as Action[]).flatMap((action) =>
  statuses.map((status) => ({ action, status, to: allowed[action][status] })),
);

describe.each(cases.filter(({ to }) => to === undefined))('$action while $status', ({ action, status }) => {
  test('is refused and changes nothing in the table', async () => {
    const seller = await newSeller();
    const { id, externalId } = await brought(seller, status);
    const before = await itemsOf(seller, externalId);
    const [what, body] = actions[action];
    const response = await act(seller, what, id, body);
    expect(response.status).toBe(409);
    expect(response.body).toMatchObject({ error: 'invalid_transition', details: { status } });
    expect(await itemsOf(seller, externalId)).toEqual(before);
  });
});

describe.each(cases.filter(({ to }) => to !== undefined))(
  '$action while $status',
  ({ action, status, to }) => {
    test(`answers 200: ${to}`, async () => {
      const seller = await newSeller();
      const { id, externalId } = await brought(seller, status);
      const before = await itemsOf(seller, externalId);
      const [what, body] = actions[action];
      const response = await act(seller, what, id, body);
      expect(response.status, response.text).toBe(200);
      expect(response.body.subscription).toMatchObject({ _id: id, status: to === 'same' ? status : to });
      if (to === 'same') expect(await itemsOf(seller, externalId)).toEqual(before);
      await expectSound(seller, externalId);
    });
  },
);

test('activate of an expired subscription is refused, and names POST /payments, which helps', async () => {
  const seller = await newSeller();
  const { id, externalId } = await brought(seller, 'expired');
  const refused = await act(seller, 'activate', id);
  expect([refused.status, refused.body.details]).toEqual([
    409,
    { status: 'expired', help: expect.stringContaining('POST /payments') },
  ]);
  const body = { subscriptionId: id, amount: 9.99, currency: 'EUR', paymentId: 'transfer-1' };
  const recorded = await call('finance.payment-create', { headers: asSeller(seller), body });
  expect([recorded.status, recorded.body.payment.status], recorded.text).toEqual([201, 'applied']);
  expect(good(await current(seller, externalId)).subscription.status).toBe('active');
});

describe('repeating', () => {
  test.each<[Action, Status]>([
    ['activate', 'pending'],
    ['activate', 'trialing'],
    ['activate', 'past_due'],
    ['cancel', 'trialing'],
    ['cancel', 'past_due'],
    ['cancel at the end of the period', 'active'],
    ['cancel at the end of the period', 'trialing'],
  ])('%s (first while %s) answers 200 and writes nothing', async (action, status) => {
    const seller = await newSeller();
    const { id, externalId } = await brought(seller, status);
    const [what, body] = actions[action];
    const first = good(await act(seller, what, id, body));
    const before = await itemsOf(seller, externalId);
    const again = await act(seller, what, id, body);
    expect([again.status, again.body]).toEqual([200, first]);
    expect(await itemsOf(seller, externalId)).toEqual(before);
  });

  test.each<[Action, Status]>([
    ['pause', 'active'],
    ['resume', 'paused'],
  ])('%s is refused', async (action, status) => {
    const seller = await newSeller();
    const { id } = await brought(seller, status);
    const [what] = actions[action];
    good(await act(seller, what, id));
    expect((await act(seller, what, id)).status).toBe(409);
  });
});

test('a cancellation at period end can be undone once', async () => {
  const seller = await newSeller();
  const { id } = await brought(seller, 'active');
  good(await act(seller, 'cancel', id, { atPeriodEnd: true }));
  const { subscription } = good(await act(seller, 'uncancel', id));
  expect(subscription).toMatchObject({ status: 'active' });
  expect(subscription.cancelAtPeriodEnd).toBeUndefined();
  expect((await act(seller, 'uncancel', id)).status).toBe(409);
});

test('a timeline entry names event, actor, and the statuses before and after', async () => {
  const seller = await newSeller();
  const { id } = await brought(seller, 'paused');
  good(await act(seller, 'resume', id));
  good(await act(seller, 'cancel', id));
  const { timeline } = good(await details(seller, id)).subscription;
  const entries = timeline.map(({ event, by, from, to }: Record<string, string>) => [event, by, from, to]);
  expect(entries).toEqual([
    ['start', 'application', undefined, 'pending'],
    ['payment', 'application', 'pending', 'active'],
    ['pause', 'application', 'active', 'paused'],
    ['resume', 'application', 'paused', 'active'],
    ['cancel', 'application', 'active', 'cancelled'],
  ]);
});
