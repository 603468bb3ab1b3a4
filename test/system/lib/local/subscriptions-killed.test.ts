import { expect, test, vi } from 'vitest';
import { killableStack } from '../../../support/subscriptions/killable-stack.ts';
import { samples } from '../../../support/thoroughness.ts';

const { start, kill } = killableStack();

test('each kill -9 while timers run loses no step, repeats none, and loses no mail and no event', async () => {
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
  const renewedFree = await Promise.all([1, 2].map((n) => begin(`free-${n}`, free)));
  const overdue = await Promise.all([1, 2].map((n) => begin(`overdue-${n}`, trial)));

  const end = '2055-03-12T00:00:00Z';
  const many = ['2055-01-15', '2055-02-15', '2055-02-16', '2055-03-01'];
  for (const point of samples({ few: ['2055-02-15'], many })) {
    const moving = stack.clockTo(end).then(
      () => 'arrived',
      () => 'cut off',
    );
    // On its way it has come to the day at which a term ends, or is due to.
    const there = Date.parse(point);
    await vi.waitFor(async () => expect(await stack.now()).toBeGreaterThan(there), {
      interval: 5,
      timeout: 60_000,
    });
    await kill();
    expect(await moving).toBe('cut off');
    stack = await start();
    seller = stack.known(_id, apiKey);
    // A mail in progress is sent once its lease is over.
    await stack.clockBy(600);
  }
  await stack.clockTo(end);
  await stack.clockBy(600);

  for (const id of renewedFree) {
    const { timeline, status } = await seller.read(id);
    const renewals = timeline.filter(({ event }) => event === 'renewal_invoice').map(({ at }) => at);
    expect(status).toBe('active');
    expect(renewals).toHaveLength(10);
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

  // The events of a subscription are numbered: a lost one leaves a gap among those of the last 30 days.
  const events: { data: { _id?: string }; sequence: number }[] = [];
  for (let after = '', hasMore = true; hasMore; ) {
    const { body } = await seller.call('GET', `/api/v1/events?limit=100${after}`);
    events.push(...body.events);
    after = `&after=${body.nextCursor}`;
    hasMore = body.hasMore;
  }
  for (const id of [...renewedFree, ...overdue]) {
    const own = events.filter(({ data }) => data._id === id).map(({ sequence }) => sequence);
    const [first = 0] = own.sort((a, b) => a - b);
    expect(own.length).toBeGreaterThan(1);
    expect(own).toEqual(own.map((_, i) => first + i));
  }
});
