import { describe, expect, test, vi } from 'vitest';
import { dayMs } from '../../../../../functions/shared/runtime/duration.ts';
import type { Item } from '../../../../../functions/shared/table/table.ts';
import { atEveryCall, pausedAt } from '../../../../support/interruptions/pause.ts';
import { transfer } from '../../../../support/payments/payments.ts';
import { liveUntil } from '../../../../support/subscriptions/courses.ts';
import { typesOf, writtenEvents } from '../../../../support/subscriptions/events.ts';
import { act, good, newSeller } from '../../../../support/subscriptions/requests.ts';
import { brought, daysLater, onTestClock } from '../../../../support/subscriptions/steps.ts';
import { clientOf, expectSound, itemsOf, stateOf } from '../../../../support/subscriptions/stored-state.ts';
import { leaveOutPdfs } from '../../../../support/subscriptions/unrendered-pdfs.ts';
import type { Tenant } from '../../../../support/tenants.ts';

onTestClock();
leaveOutPdfs();

type Course = 'pending' | 'trialing' | 'active';

/** A subscription that expired from a status: an active one at the end of its term, because it does not renew. */
async function expiredFrom(from: Course) {
  const seller = await newSeller();
  const one = await brought(seller, from);
  if (from === 'active')
    good(await act(seller, 'update', one.id, { autoRenew: false, reason: 'No renewal' }));
  await letExpire(seller, one.externalId);
  return { seller, ...one };
}

async function letExpire(seller: Tenant, externalId: string): Promise<void> {
  await liveUntil(Date.now() + 60 * dayMs, () => stateOf(seller, externalId));
  const { status, endedAtMs = 0 } = await stateOf(seller, externalId);
  expect(status).toBe('expired');
  vi.setSystemTime(endedAtMs);
}

/** All items of a client but its subscriptions and their timelines: invoices, mails, the client itself. */
const others = (items: readonly Item[]) =>
  items.filter(({ sk }) => !sk.startsWith('SUB#') && !sk.startsWith('TIMELINE#'));

describe('an expired subscription that is cancelled', () => {
  test.each<[Course, string]>([
    ['trialing', 'trial_over'],
    ['active', 'not_renewed'],
  ])('from %s, changes its status and nothing else, and tells applications once', async (from, endReason) => {
    const { seller, id, externalId } = await expiredFrom(from);
    const before = await stateOf(seller, externalId);
    const itemsBefore = await itemsOf(seller, externalId);
    const eventsBefore = typesOf(await writtenEvents(seller.applicationId));
    daysLater(1);

    const response = await act(seller, 'cancel', id);

    expect([response.status, response.body.subscription.status], response.text).toEqual([200, 'cancelled']);
    const after = await stateOf(seller, externalId);
    const written = ['updatedAtMs', 'revision', 'timerVersion', 'eventCount'] as const;
    const own = Object.fromEntries(written.map((field) => [field, after[field]]));
    expect(after).toEqual(Object.assign({}, before, own, { status: 'cancelled' }));
    expect(after.endReason).toBe(endReason);
    expect(others(await itemsOf(seller, externalId))).toEqual(others(itemsBefore));
    const eventsAfter = typesOf(await writtenEvents(seller.applicationId));
    expect(eventsAfter).toEqual([...eventsBefore, 'subscription.cancelled'].toSorted());
    await expectSound(seller, externalId);
    const all = await itemsOf(seller, externalId);
    expect((await act(seller, 'cancel', id)).status).toBe(200);
    expect(await itemsOf(seller, externalId)).toEqual(all);
  });

  test('stays cancelled when a late payment comes at any moment of the cancellation', async () => {
    const ends = new Set<string>();
    await atEveryCall(async (at) => {
      const { seller, id, externalId } = await expiredFrom('trialing');
      const cancel = async () => good(await act(seller, 'cancel', id));
      const { isReached } = await pausedAt(at, cancel, () => transfer(seller, id, 999));
      if (!isReached) return { isReached };
      // Revived first, it is cancelled as one that runs; otherwise the money is credit.
      const { status, endReason = '' } = await stateOf(seller, externalId);
      expect(status, `before call ${at}`).toBe('cancelled');
      const credit = (await clientOf(seller, externalId))?.credit;
      expect(credit).toEqual(endReason === 'cancelled' ? undefined : { EUR: 999 });
      ends.add(endReason);
      await expectSound(seller, externalId);
      return { isReached };
    });
    expect([...ends]).toContain('cancelled');
  });
});
