import { expect, test } from 'vitest';
import { call } from '../../support/call.ts';
import { mailsTo } from '../../support/mails.ts';
import { asSeller, newSeller, newPlan, newClient } from '../../support/subscriptions.ts';
import { startTimers } from '../../support/timers.ts';

test.each([undefined, 48])('a trial runs out, horizon %s', async (horizonHours) => {
  const time = await startTimers({ startMs: Date.parse('2031-01-31T10:00:00.123Z'), ...(horizonHours && { horizonHours, schedules: ['subscriptions.sweep'] }) });
  try {
    const seller = await newSeller();
    const planId = await newPlan(seller, { trialPeriodDays: 14 });
    const externalId = await newClient(seller);
    const made = await call('subscriptions.create', { headers: asSeller(seller), body: { externalId, planId } });
    console.log(made.status, made.text);
    await time.settle();
    console.log(time.executions());
    const began = performance.now();
    await time.advanceBy(20 * 86_400_000);
    console.log(time.steps, time.executions(), performance.now() - began);
    const current = await call('subscriptions.current', { headers: asSeller(seller), query: { externalId } });
    console.log(current.text);
    console.log((await mailsTo(`${externalId}@example.com`)).map((m) => m.subject));
    expect(current.body.subscription.status).toBe('expired');
  } finally { await time.stop(); }
});
