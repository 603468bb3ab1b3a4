import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { killableStack } from '../../support/subscriptions/killable-stack.ts';
import { samples } from '../../support/thoroughness.ts';

const { start, kill } = killableStack();

test('each kill -9 while timers run loses no step, repeats none, and loses no mail', async () => {
  let stack = await start();
  await stack.clockTo('2055-01-01T00:00:20Z');
  const { _id, apiKey } = await stack.application();
  let seller = stack.known(_id, apiKey);
  const free = await seller.plan({ price: 0, billingCycle: 'weekly' });
  const trial = await seller.plan({ trialPeriodDays: 14 });
  const begin = async (name: string, planId: string) => {
    const { id } = await seller.subscribe(await seller.client(name), planId);
    await seller.call('POST', `/subscriptions/${id}/activate`);
    return id;
  };
  const renewedFree = await Promise.all([1, 2, 3, 4].map((n) => begin(`free-${n}`, free)));
  const overdue = await Promise.all([1, 2, 3].map((n) => begin(`overdue-${n}`, trial)));

  const end = '2055-07-02T00:00:00Z';
  let killedOnTheWay = 0;
  for (const afterMs of samples({ few: [80, 250], many: [80, 200, 350, 500] })) {
    const moving = stack.clockTo(end).then(
      () => 'arrived',
      () => 'cut off',
    );
    await sleep(afterMs);
    await kill();
    if ((await moving) === 'cut off') killedOnTheWay += 1;
    stack = await start();
    seller = stack.known(_id, apiKey);
    // A mail in progress is sent once its lease is over.
    if ((await stack.now()) < Date.parse(end)) await stack.clockBy(600);
  }
  expect(killedOnTheWay).toBeGreaterThan(0);
  if ((await stack.now()) < Date.parse(end)) await stack.clockTo(end);
  await stack.clockBy(600);

  for (const id of renewedFree) {
    const { timeline, status } = await seller.read(id);
    const renewals = timeline.filter(({ event }) => event === 'renewal_invoice').map(({ at }) => at);
    expect(status).toBe('active');
    expect(renewals).toHaveLength(26);
    const gaps = renewals.slice(1).map((at, i) => Date.parse(at) - Date.parse(renewals[i] ?? ''));
    expect(new Set(gaps)).toEqual(new Set([7 * 86_400_000]));
  }
  for (const [i, id] of overdue.entries()) {
    const { timeline } = await seller.read(id);
    expect(timeline.map(({ at, event }) => `${at.slice(0, 10)} ${event}`)).toEqual([
      ...['2055-01-01 start', '2055-01-01 payment', '2055-02-08 renewal_invoice', '2055-02-15 term_end'],
      ...['15', '17', '22'].map((day) => `2055-02-${day} dunning_reminder`),
      ...['2055-03-01 dunning_reminder', '2055-03-08 dunning_end'],
    ]);
    const mails = await stack.mails(`overdue-${i + 1}@example.com`);
    // Sent at least once: a mail that was just sent when the process died may be sent again.
    expect(new Set(mails.map(({ subject }) => subject)).size).toBe(7);
  }
});
