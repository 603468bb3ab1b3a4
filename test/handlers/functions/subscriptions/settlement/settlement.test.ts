import { describe, expect, test } from 'vitest';
import { settlement } from '../../../../../functions/subscriptions/settlement/settlement.ts';
import type { Status } from '../../../../../functions/subscriptions/state/subscription.ts';
import { failTable } from '../../../../support/faults.ts';
import { paying, reportOf } from '../../../../support/subscriptions/payments.ts';
import { act, details, good, newSeller, subscribe } from '../../../../support/subscriptions/requests.ts';
import { lose } from '../../../../support/subscriptions/reversals.ts';
import { brought, onTestClock } from '../../../../support/subscriptions/steps.ts';
import {
  expectSound,
  itemsOf,
  stateOf,
  storedSubscription,
} from '../../../../support/subscriptions/stored-state.ts';
import { leaveOutPdfs } from '../../../../support/subscriptions/unrendered-pdfs.ts';
import type { Tenant } from '../../../../support/tenants.ts';

onTestClock();
leaveOutPdfs();

const unappliedOf = async (seller: Tenant, externalId: string) =>
  (await storedSubscription(seller, externalId)).timeline.flatMap(({ unapplied }) => unapplied ?? []);
/** Kills work at each of its calls to the table, until it makes fewer. */
function* fromEveryCall(): Generator<(work: () => Promise<unknown>) => Promise<void>> {
  for (let at = 0, isKilled = true; isKilled; at += 1) {
    isKilled = false;
    yield async (work) => {
      const fault = failTable((_, i) => {
        isKilled ||= i >= at;
        return i >= at ? new Error('killed') : undefined;
      });
      await work()
        .catch(() => undefined)
        .finally(fault.restore);
    };
  }
}
const statusOf = async (seller: Tenant, externalId: string) => (await stateOf(seller, externalId)).status;

describe('a payment reported by a gateway', () => {
  test('is recorded on the timeline as unapplied when it has another currency', async () => {
    const { seller, id, externalId, report } = await paying();
    expect(await settlement.recordPayment({ ...report, currency: 'USD' })).toBe('unapplied');
    expect(await statusOf(seller, externalId)).toBe('pending');
    const { timeline } = good(await details(seller, id)).subscription;
    expect(timeline.at(-1)).toMatchObject({
      event: 'payment_unapplied',
      unapplied: { paymentId: expect.stringMatching(/^pay_/) },
    });
    expect(await settlement.recordPayment({ ...report, currency: 'USD' })).toBe('repeated');
    await expectSound(seller, externalId);
  });

  test.each<[Status, 'cancel' | 'pause' | undefined]>([
    ['pending', 'cancel'],
    ['active', 'pause'],
  ])(
    'is recorded as unapplied and changes nothing else while the subscription is %s, after: %s',
    async (status, first) => {
      const { seller, id, externalId, report } = await paying(status);
      if (first) good(await act(seller, first, id));
      const before = await stateOf(seller, externalId);
      expect(await settlement.recordPayment(report)).toBe('unapplied');
      const subscription = await stateOf(seller, externalId);
      expect({ ...subscription, revision: 0, timerVersion: 0 }).toEqual({
        ...before,
        revision: 0,
        timerVersion: 0,
      });
      expect(await unappliedOf(seller, externalId)).toHaveLength(1);
      await expectSound(seller, externalId);
    },
  );

  test('is credit of the client when another subscription of the client was paid in the meantime', async () => {
    const seller = await newSeller('sandbox');
    const { id, externalId } = await brought(seller, 'trialing');
    const { subscription } = good(await subscribe(seller, { body: { externalId } }));
    const report = await reportOf(seller, externalId, { id: subscription._id });
    good(await act(seller, 'activate', id));
    expect(await settlement.recordPayment(report)).toBe('credited');
    expect((await stateOf(seller, externalId, subscription._id)).endReason).toBe('superseded');
    await expectSound(seller, externalId);
  });

  test('is unknown, and not recorded, for an invoice of another application or one that does not exist', async () => {
    const { seller, externalId, report } = await paying();
    const other = await newSeller('sandbox');
    const before = await itemsOf(seller, externalId);
    expect(await settlement.recordPayment({ ...report, applicationId: other.applicationId })).toBe('unknown');
    expect(await settlement.recordPayment({ ...report, invoiceId: 'inv_00000000000000000000000000' })).toBe(
      'unknown',
    );
    expect(await itemsOf(seller, externalId)).toEqual(before);
  });

  test('is applied once when its first delivery fails at any call to the table', async () => {
    for (const kill of fromEveryCall()) {
      const { seller, externalId, report } = await paying();
      await kill(() => settlement.recordPayment(report));
      await settlement.recordPayment(report);
      expect(await stateOf(seller, externalId)).toMatchObject({
        status: 'active',
        termIndex: 1,
      });
      await expectSound(seller, externalId);
    }
  });
});

describe('a reversed payment', () => {
  test('is reversed when the reversal is reported first and the delivery of the payment fails at any call to the table', async () => {
    for (const kill of fromEveryCall()) {
      const { seller, externalId, report } = await paying();
      await lose(report);
      await kill(() => settlement.recordPayment(report));
      await settlement.recordPayment(report);
      expect(await statusOf(seller, externalId)).toBe('past_due');
      await expectSound(seller, externalId);
    }
  });
});
