import { expect, test, vi } from 'vitest';
import { dayMs } from '../../../../../functions/shared/runtime/duration.ts';
import { settlement } from '../../../../../functions/subscriptions/settlement/settlement.ts';
import { liveUntil } from '../../../../support/subscriptions/courses.ts';
import { reportOf } from '../../../../support/subscriptions/payments.ts';
import {
  current,
  good,
  newClient,
  newPlan,
  newSeller,
  subscribe,
  subscribedByTransfer,
} from '../../../../support/subscriptions/requests.ts';
import { dispute } from '../../../../support/subscriptions/reversals.ts';
import { onTestClock } from '../../../../support/subscriptions/steps.ts';
import { expectSound, stateOf } from '../../../../support/subscriptions/stored-state.ts';
import { leaveOutPdfs } from '../../../../support/subscriptions/unrendered-pdfs.ts';
import type { Tenant } from '../../../../support/tenants.ts';

onTestClock();
leaveOutPdfs();

const at = (iso: string) => Date.parse(iso);

async function paid(seller: Tenant, externalId: string, planId: string) {
  return stateOf(seller, externalId, await subscribedByTransfer(seller, { externalId, planId }));
}

/** An overdue subscription, and the time at which another one was paid. */
async function resubscribed(daysLate: number, settings: object = {}) {
  const seller = await newSeller('none', { ...settings });
  const [externalId, planId] = await Promise.all([newClient(seller), newPlan(seller)]);
  const { termEndMs = 0 } = await paid(seller, externalId, planId);
  await liveUntil(termEndMs + daysLate * dayMs, () => stateOf(seller, externalId));
  const next = await paid(seller, externalId, planId);
  await expectSound(seller, externalId);
  return { next, oldEndMs: termEndMs, nowMs: Date.now() };
}

test('a client who lapses and subscribes again within the grace, five times, pays for every day', async () => {
  const seller = await newSeller();
  const [externalId, planId] = await Promise.all([newClient(seller), newPlan(seller)]);
  const terms = [await paid(seller, externalId, planId)];
  for (let i = 0; i < 5; i += 1) {
    await liveUntil((terms.at(-1)?.termEndMs ?? 0) + 6 * dayMs, () => stateOf(seller, externalId));
    terms.push(await paid(seller, externalId, planId));
  }
  for (const [i, { termStartMs }] of terms.entries())
    if (i > 0) expect(termStartMs).toBe(terms[i - 1]?.termEndMs);
  expect(terms.at(-1)?.termEndMs).toBe(at('2027-09-10T12:00:00.000Z'));
  await expectSound(seller, externalId);
});

test('a term after the grace begins earlier by the grace that was used, and by no day without access', async () => {
  const { next, nowMs } = await resubscribed(15);
  expect(next).toMatchObject({ termStartMs: nowMs - 7 * dayMs, startAtMs: nowMs - 7 * dayMs });
});

test('with the setting `now`, the new term begins when it is paid', async () => {
  const { next, nowMs } = await resubscribed(5, { dunning: { newTermStart: 'now' } });
  expect(next.termStartMs).toBe(nowMs);
});

test('a term that was paid early and disputed leaves the paid term before it, also when another subscription replaces it', async () => {
  const seller = await newSeller('sandbox');
  const [externalId, planId] = await Promise.all([newClient(seller), newPlan(seller)]);
  const { subscription } = good(await subscribe(seller, { body: { externalId, planId } }));
  await settlement.recordPayment(await reportOf(seller, externalId));
  const read = () => stateOf(seller, externalId, subscription._id);
  const { termEndMs = 0 } = await read();
  await liveUntil(termEndMs - 5 * dayMs, read);
  const report = await reportOf(seller, externalId);
  await settlement.recordPayment(report);
  await settlement.recordReversal({ ...report, ...dispute, eventId: 'evt_dispute' });
  expect((await read()).status).toBe('past_due');
  const next = await paid(seller, externalId, planId);
  expect(next).toMatchObject({
    status: 'active',
    startAtMs: termEndMs,
    termStartMs: termEndMs,
    trialRemainder: { fromMs: Date.now(), untilMs: termEndMs },
  });
  expect(good(await current(seller, externalId)).subscription.access).toBe('full');
  vi.setSystemTime(termEndMs - 1);
  expect(good(await current(seller, externalId)).subscription.access).toBe('full');
  await expectSound(seller, externalId);
});
