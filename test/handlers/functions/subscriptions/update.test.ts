import { describe, expect, test } from 'vitest';
import { dayMs, hourMs } from '../../../../functions/shared/runtime/duration.ts';
import { liveUntil } from '../../../support/subscriptions/courses.ts';
import { writtenEvents } from '../../../support/subscriptions/events.ts';
import { act, details, good, newSeller } from '../../../support/subscriptions/requests.ts';
import { brought, daysLater, noonMs, onTestClock, step } from '../../../support/subscriptions/steps.ts';
import { expectSound, stateOf, storedSubscription } from '../../../support/subscriptions/stored-state.ts';
import { leaveOutPdfs } from '../../../support/subscriptions/unrendered-pdfs.ts';

onTestClock();
leaveOutPdfs();

const reason = 'Apology for the outage of 3 May';
const iso = (ms: number) => new Date(ms).toISOString();
const at = (iso: string) => Date.parse(iso);

describe('PATCH', () => {
  test('extends a trial with its invoice and its reminder, and the timeline has the reason', async () => {
    const seller = await newSeller();
    const { id, externalId } = await brought(seller, 'trialing');
    daysLater(11);
    await step(await stateOf(seller, externalId));
    const trialEnd = iso(noonMs + 44 * dayMs);
    const changed = good(await act(seller, 'update', id, { trialEnd, reason }));
    expect(changed.subscription).toMatchObject({ status: 'trialing', trialEnd });
    const { subscription, invoices } = await storedSubscription(seller, externalId);
    expect(subscription.timer).toEqual({ step: 'trial_reminder', dueAtMs: noonMs + 41 * dayMs });
    expect(invoices).toMatchObject([{ status: 'open', dueAtMs: at(trialEnd), periodStartMs: at(trialEnd) }]);
    const { timeline } = good(await details(seller, id)).subscription;
    expect(timeline.at(-1)).toMatchObject({ event: 'extend_trial', by: 'application', reason });
    // The further reminder issues no second invoice.
    await liveUntil(noonMs + 41 * dayMs, () => stateOf(seller, externalId));
    expect((await storedSubscription(seller, externalId)).invoices).toHaveLength(1);
    await expectSound(seller, externalId);
  });

  test('changes nothing when it is repeated, also five times at once, and announces one event', async () => {
    const seller = await newSeller();
    const { id, externalId } = await brought(seller, 'active');
    const { termEndMs = 0 } = await stateOf(seller, externalId);
    const body = { endDate: iso(termEndMs + dayMs), reason };
    const answers = await Promise.all(Array.from({ length: 5 }, () => act(seller, 'update', id, body)));
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
    good(await act(seller, 'update', id, body));
    const { timeline, subscription } = await storedSubscription(seller, externalId);
    expect(subscription.termEndMs).toBe(termEndMs + dayMs);
    expect(timeline.filter(({ event }) => event === 'grant_days')).toHaveLength(1);
    const types = (await writtenEvents(seller.applicationId)).map(({ type }) => type);
    expect(types.filter((type) => type === 'subscription.updated')).toHaveLength(1);
  });

  test.each<[string, Parameters<typeof brought>[1], object, number]>([
    ['an earlier end', 'active', { endDate: iso(noonMs + dayMs) }, 400],
    ['an end that is too far ahead', 'active', { endDate: iso(noonMs + 500 * dayMs) }, 400],
    ['an end that has passed, in dunning', 'past_due', { endDate: iso(noonMs + 31 * dayMs + hourMs) }, 400],
    ['two changes', 'active', { autoRenew: false, endDate: iso(noonMs + 40 * dayMs) }, 400],
    ['no reason', 'active', { autoRenew: false, reason: undefined }, 400],
    ['the end of a trial that is over', 'active', { trialEnd: iso(noonMs + 40 * dayMs) }, 409],
    ['days before the first payment', 'pending', { endDate: iso(noonMs + 40 * dayMs) }, 409],
  ])('refuses %s, and changes nothing', async (_, status, body, expected) => {
    const seller = await newSeller();
    const { id, externalId } = await brought(seller, status);
    const before = await storedSubscription(seller, externalId);
    expect((await act(seller, 'update', id, { reason, ...body })).status).toBe(expected);
    expect(await stateOf(seller, externalId)).toEqual(before.subscription);
  });
});
