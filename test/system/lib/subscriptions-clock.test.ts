/** Subscriptions over HTTP while the clock moves far in one request. */
import { expect, test } from 'vitest';
import { type Read, startSubscriptionStack } from '../../support/subscriptions/stack.ts';

type Stack = Awaited<ReturnType<typeof startSubscriptionStack>>;
const days = 60;

/** Creates subscriptions in every state that time changes, in the first seconds of 2055. @returns their ids by name. */
async function populate({ clockTo, application, mails }: Stack) {
  await clockTo('2055-01-01T00:00:20Z');
  const offline = await application();
  const gateway = await application({ paymentGateway: 'sandbox' });
  const monthly = await offline.plan();
  const trial = await offline.plan({ trialPeriodDays: 14 });
  const ids: Record<string, string> = {};
  const make = async (name: string, planId: string, more?: object, ...then: [string, object?][]) => {
    const seller = name === 'abandoned' ? gateway : offline;
    const { id } = await seller.subscribe(await seller.client(name), planId, more);
    // Wait for the invoice mail: it is dropped once the invoice is paid.
    await mails(`${name}@example.com`);
    for (const [path, body] of then) {
      expect((await seller.call('POST', `/subscriptions/${id}${path}`, body)).status).toBe(200);
    }
    ids[name] = id;
  };
  await make('looked', trial);
  await make('once', monthly, { autoRenew: false }, ['/activate']);
  await make('overdue', monthly, {}, ['/activate']);
  await make('paused', monthly, {}, ['/activate'], ['/pause', { resumesAt: '2055-01-20T00:00:00Z' }]);
  await make('leaving', monthly, {}, ['/activate'], ['', { atPeriodEnd: true }]);
  await make('later', trial, { startDate: '2055-02-01T00:00:00Z' });
  await make('abandoned', await gateway.plan());
  return {
    read: async () => {
      const read: Record<string, Read> = {};
      for (const [name, id] of Object.entries(ids)) {
        read[name] = await (name === 'abandoned' ? gateway : offline).read(id);
      }
      return read;
    },
  };
}

/** The timelines and the mails, to the minute, because requests take some milliseconds. */
async function lived(move: (stack: Stack) => Promise<void>) {
  const stack = await startSubscriptionStack();
  try {
    const { read } = await populate(stack);
    await move(stack);
    const subscriptions = await read();
    const mails: Record<string, { subject: string; sentAt: string }[]> = {};
    for (const name of Object.keys(subscriptions)) mails[name] = await stack.mails(`${name}@example.com`);
    return { subscriptions, mails };
  } finally {
    await stack.stop();
  }
}

const toTheMinute = (time: string) => time.slice(0, 16);
const essence = ({ subscriptions, mails }: Awaited<ReturnType<typeof lived>>) =>
  Object.fromEntries(
    Object.entries(subscriptions).map(([name, { status, endReason, access, timeline, invoices }]) => [
      name,
      {
        status,
        endReason,
        access,
        happened: timeline.map(({ at, event, from, to, invoices }) =>
          [toTheMinute(at), event, `${from} to ${to}`, invoices?.length ?? 0].join(' '),
        ),
        invoices: invoices.map(({ status, dueAt, issuedAt }) =>
          [status, toTheMinute(issuedAt), toTheMinute(dueAt)].join(' '),
        ),
        mails: mails[name]?.map(({ subject, sentAt }) =>
          [toTheMinute(sentAt), subject.replace(/SUB-\w+/, '').replace(/INV-\w+/, '')].join(' '),
        ),
      },
    ]),
  );

test('60 days in one call give the same timelines, invoices and mails at the same times as in many small calls', async () => {
  const inSteps = async (stack: Stack) => {
    const endMs = Date.parse('2055-01-01T00:00:00Z') + days * 86_400_000;
    // 197 hours: never stops at the time of a step.
    for (let now = Date.parse('2055-01-02T00:00:00Z'); now < endMs; now += 197 * 3_600_000) {
      await stack.clockTo(new Date(now).toISOString());
    }
    await stack.clockTo(new Date(endMs).toISOString());
  };
  const [inOne, inMany] = await Promise.all([lived((stack) => stack.clockBy(days * 86_400)), lived(inSteps)]);
  const one = essence(inOne);
  expect(essence(inMany)).toEqual(one);

  expect(
    Object.fromEntries(
      Object.entries(one).map(([name, { status, endReason }]) => [name, `${status} ${endReason ?? ''}`]),
    ),
  ).toEqual({
    looked: 'expired trial_over',
    once: 'expired not_renewed',
    overdue: 'expired unpaid',
    paused: 'past_due ',
    leaving: 'cancelled period_over',
    later: 'expired trial_over',
    abandoned: 'expired unpaid',
  });
  expect(one.overdue?.happened).toEqual([
    '2055-01-01T00:00 start undefined to pending 1',
    '2055-01-01T00:00 payment pending to active 1',
    '2055-01-25T00:00 renewal_invoice active to active 1',
    '2055-02-01T00:00 term_end active to past_due 0',
    '2055-02-01T00:00 dunning_reminder past_due to past_due 0',
    '2055-02-03T00:00 dunning_reminder past_due to past_due 0',
    '2055-02-08T00:00 dunning_reminder past_due to past_due 0',
    '2055-02-15T00:00 dunning_reminder past_due to past_due 0',
    '2055-02-22T00:00 dunning_end past_due to expired 1',
  ]);
  for (const [name, { timeline }] of Object.entries(inOne.subscriptions)) {
    const times = timeline.map(({ at }) => at);
    expect(times, name).toEqual(times.toSorted());
    const sent = (inOne.mails[name] ?? []).map(({ sentAt }) => sentAt);
    expect(sent, name).toEqual(sent.toSorted());
    // No mail is sent before its event, nor much later.
    for (const sentAt of sent) {
      const sinceMs = Math.min(
        ...times.map((at) => Date.parse(sentAt) - Date.parse(at)).filter((ms) => ms >= 0),
      );
      expect(sinceMs, `${name}: ${sentAt}`).toBeLessThan(60_000);
    }
  }
});
