import { dayMs, hourMs } from '../../../../functions/shared/runtime/clock.ts';
import { type Status, statuses } from '../../../../functions/subscriptions/record/subscription.ts';
import {
  call,
  daysLater,
  good,
  leaveOutPdfs,
  newSubscription,
  noonMs,
  onTestClock,
  step,
} from '../../../support/call.ts';
import { liveUntil } from '../../../support/subscriptions/courses.ts';
import { writtenEvents } from '../../../support/subscriptions/events.ts';
import { expectSound, itemsOf, storedSubscription } from '../../../support/subscriptions/stored-state.ts';

onTestClock();
leaveOutPdfs();

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

const names = Object.keys(actions) as Action[];

test.each(statuses)(
  'while %s, whatever is refused or done already changes nothing in the table',
  async (status) => {
    const { seller, id, externalId } = await newSubscription(status);
    const before = await itemsOf(seller, externalId);
    for (const action of names) {
      const to = allowed[action][status];
      if (to !== undefined && to !== 'same') continue;
      const { status: answer, body } = await seller.act(actions[action][0], id, actions[action][1]);
      if (to === 'same') expect([answer, body.subscription]).toMatchObject([200, { _id: id, status }]);
      else expect([answer, body]).toMatchObject([409, { error: 'invalid_transition', details: { status } }]);
      expect(await itemsOf(seller, externalId), action).toEqual(before);
    }
  },
);

test('activate of an expired subscription is refused, and names POST /payments, which helps', async () => {
  const { seller, id, externalId } = await newSubscription('expired');
  const refused = await seller.act('activate', id);
  expect([refused.status, refused.body.details]).toEqual([
    409,
    { status: 'expired', help: expect.stringContaining('POST /payments') },
  ]);
  const body = { subscriptionId: id, amount: 9.99, currency: 'EUR', paymentId: 'transfer-1' };
  const recorded = await call('payments.create', { headers: seller.headers, body });
  expect([recorded.status, recorded.body.payment.status], recorded.text).toEqual([201, 'applied']);
  expect(good(await seller.current(externalId)).subscription.status).toBe('active');
});

const reason = 'Apology for the outage of 3 May';
const iso = (ms: number) => new Date(ms).toISOString();
const at = (iso: string) => Date.parse(iso);

describe('PATCH', () => {
  test('extends a trial with its invoice and its reminder, and the timeline has the reason', async () => {
    const { seller, id, externalId } = await newSubscription('trialing');
    daysLater(11);
    await step(await seller.stateOf(externalId));
    const trialEnd = iso(noonMs + 44 * dayMs);
    const changed = good(await seller.act('update', id, { trialEnd, reason }));
    expect(changed.subscription).toMatchObject({ status: 'trialing', trialEnd });
    const { subscription, invoices } = await storedSubscription(seller, externalId);
    expect(subscription.timer).toEqual({ step: 'trial_reminder', dueAtMs: noonMs + 41 * dayMs });
    expect(invoices).toMatchObject([{ status: 'open', dueAtMs: at(trialEnd), periodStartMs: at(trialEnd) }]);
    const { timeline } = good(await seller.details(id)).subscription;
    expect(timeline.at(-1)).toMatchObject({ event: 'extend_trial', by: 'application', reason });
    const types = (await writtenEvents(seller.applicationId)).map(({ type }) => type);
    expect(types.slice(-2)).toEqual(['subscription.trial_extended', 'invoice.updated']);
    // The further reminder issues no second invoice.
    await liveUntil(noonMs + 41 * dayMs, () => seller.stateOf(externalId));
    expect((await storedSubscription(seller, externalId)).invoices).toHaveLength(1);
    await expectSound(seller, externalId);
  });

  test('changes nothing when it is repeated, also five times at once, and announces one event', async () => {
    const { seller, id, externalId } = await newSubscription('active');
    const { termEndMs = 0 } = await seller.stateOf(externalId);
    const body = { endDate: iso(termEndMs + dayMs), reason };
    const answers = await Promise.all(Array.from({ length: 5 }, () => seller.act('update', id, body)));
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
    good(await seller.act('update', id, body));
    const { timeline, subscription } = await storedSubscription(seller, externalId);
    expect(subscription.termEndMs).toBe(termEndMs + dayMs);
    expect(timeline.filter(({ event }) => event === 'grant_days')).toHaveLength(1);
    const types = (await writtenEvents(seller.applicationId)).map(({ type }) => type);
    expect(types.filter((type) => type === 'subscription.updated')).toHaveLength(1);
  });

  test.each<[string, Status, object, number]>([
    ['an earlier end', 'active', { endDate: iso(noonMs + dayMs) }, 400],
    ['an end that is too far ahead', 'active', { endDate: iso(noonMs + 500 * dayMs) }, 400],
    ['an end that has passed, in dunning', 'past_due', { endDate: iso(noonMs + 31 * dayMs + hourMs) }, 400],
    ['two changes', 'active', { autoRenew: false, endDate: iso(noonMs + 40 * dayMs) }, 400],
    ['no reason', 'active', { autoRenew: false, reason: undefined }, 400],
    ['the end of a trial that is over', 'active', { trialEnd: iso(noonMs + 40 * dayMs) }, 409],
    ['days before the first payment', 'pending', { endDate: iso(noonMs + 40 * dayMs) }, 409],
  ])('refuses %s, and changes nothing', async (_, status, body, expected) => {
    const { seller, id, externalId } = await newSubscription(status);
    const before = await storedSubscription(seller, externalId);
    expect((await seller.act('update', id, { reason, ...body })).status).toBe(expected);
    expect(await seller.stateOf(externalId)).toEqual(before.subscription);
  });
});
