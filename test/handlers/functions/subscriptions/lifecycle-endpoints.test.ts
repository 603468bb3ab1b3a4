import { expect, test } from 'vitest';
import { type Status, statuses } from '../../../../functions/subscriptions/state/subscription.ts';
import { call } from '../../../support/call.ts';
import { act, asSeller, current, good, newSeller } from '../../../support/subscriptions/requests.ts';
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

/** Those that are refused when they are repeated, and answer 200 otherwise. */
const changesOnce: readonly Action[] = ['pause', 'resume'];
const names = Object.keys(actions) as Action[];

test.each(statuses)(
  'while %s, whatever is refused or done already changes nothing in the table',
  async (status) => {
    const seller = await newSeller();
    const { id, externalId } = await brought(seller, status);
    const before = await itemsOf(seller, externalId);
    for (const action of names) {
      const to = allowed[action][status];
      if (to !== undefined && to !== 'same') continue;
      const { status: answer, body } = await act(seller, actions[action][0], id, actions[action][1]);
      if (to === 'same') expect([answer, body.subscription]).toMatchObject([200, { _id: id, status }]);
      else expect([answer, body]).toMatchObject([409, { error: 'invalid_transition', details: { status } }]);
      expect(await itemsOf(seller, externalId), action).toEqual(before);
    }
  },
);

const cases = names.flatMap((action) =>
  statuses.flatMap((status) => {
    const to = allowed[action][status];
    return to === undefined || to === 'same' ? [] : { action, status, to };
  }),
);

test.each(cases)(
  '$action while $status answers 200: $to, and changes nothing again',
  async ({ action, status, to }) => {
    const seller = await newSeller();
    const { id, externalId } = await brought(seller, status);
    const send = () => act(seller, actions[action][0], id, actions[action][1]);
    const first = good(await send());
    expect(first.subscription).toMatchObject({ _id: id, status: to });
    const before = await itemsOf(seller, externalId);
    const again = await send();
    expect(again.status).toBe(changesOnce.includes(action) ? 409 : 200);
    if (again.status === 200) expect(again.body).toEqual(first);
    expect(await itemsOf(seller, externalId)).toEqual(before);
    await expectSound(seller, externalId);
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
