/**
 * Published tests of other billing systems, replayed over HTTP against the local stack and its clock. The
 * clock only goes forward, so dates are moved to later years with the same calendar.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { payLinkOf, type Subscriber, startSubscriptionStack } from '../../support/subscriptions/stack.ts';

let stack: Awaited<ReturnType<typeof startSubscriptionStack>>;
beforeAll(async () => {
  stack = await startSubscriptionStack();
});
afterAll(() => stack.stop());

const at = (date: string, time = '00:00:00') => `${date}T${time}.000Z`;
const iso = (ms: number) => new Date(ms).toISOString();
const dates = (times: (string | undefined)[]) => times.map((time) => time?.slice(0, 10));

/** Records a bank transfer. @returns the end of the term. */
async function activated(application: Subscriber, id: string, payment: object = {}): Promise<string> {
  const { status, body } = await application.call('POST', `/subscriptions/${id}/activate`, payment);
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body.subscription.status).toBe('active');
  return body.subscription.endDate;
}

/** A subscription that starts at a time, created an hour before. */
async function begun(application: Subscriber, name: string, startDate: string, plan: object = {}) {
  await stack.clockTo(iso(Date.parse(startDate) - 3_600_000));
  const planId = await application.plan(plan);
  return application.subscribe(await application.client(name), planId, { startDate });
}

test('Kill Bill, TestOverdueIntegration (2012-05-31 as 2057-05-31): stages 30, 40 and 50 days after the end of what is paid; clear once all is paid', async () => {
  const application = await stack.application({
    dunning: { reminderDays: [30, 40, 50], endsAfterDays: 60, graceDays: 30 },
  });
  // A trial of 30 days, and two terms: a trial that is not paid ends here, so the unpaid term is a later one.
  const { id, body } = await begun(application, 'killbill', at('2057-03-01'), { trialPeriodDays: 30 });
  expect(body.subscription).toMatchObject({ status: 'trialing', trialEnd: at('2057-03-31') });
  expect(await activated(application, id)).toBe(at('2057-04-30'));
  await stack.clockTo(at('2057-04-29'));
  expect(await activated(application, id)).toBe(at('2057-05-31'));

  const stages = async () =>
    dates(
      (await application.read(id)).timeline
        .filter(({ event }) => event === 'dunning_reminder')
        .map(({ at }) => at),
    );
  await stack.clockTo(at('2057-06-29', '23:59:00'));
  expect(await stages()).toEqual([]);
  await stack.clockTo(at('2057-07-21'));
  expect(await stages()).toEqual(['2057-06-30', '2057-07-10', '2057-07-20']);
  const mails = (await stack.mails('killbill@example.com')).filter(({ sentAt }) => sentAt > at('2057-06-01'));
  expect(dates(mails.map(({ sentAt }) => sentAt))).toEqual(['2057-06-30', '2057-07-10', '2057-07-20']);
  expect(await application.current('killbill')).toMatchObject({ status: 'past_due', access: 'restricted' });

  // The unpaid term is over by now, so the next one is due too.
  expect(await activated(application, id)).toBe(at('2057-06-30'));
  // The step that follows immediately runs in the background; the mailbox waits for it.
  await stack.mails('killbill@example.com');
  expect(await application.read(id)).toMatchObject({ status: 'past_due', access: 'grace' });
  // The invoice is named: within a day, a repeat without a name takes no newer invoice for what was paid.
  expect(await activated(application, id)).toBe(at('2057-06-30'));
  const { invoices } = await application.read(id);
  const open = invoices.find((invoice) => invoice.status === 'open');
  expect(await activated(application, id, { invoiceId: open?._id })).toBe(at('2057-07-31'));
  expect(await application.read(id)).toMatchObject({ status: 'active', access: 'full' });
  await application.call('POST', `/subscriptions/${id}`);
});

test('Polar, trial_end_rebases (2024-04-28T12Z as 2058): terms are counted from the end of the trial', async () => {
  const application = await stack.application({ paymentGateway: 'sandbox' });
  const { id, body } = await begun(application, 'rebased', at('2058-04-28', '12:00:00'), {
    trialPeriodDays: 7,
  });
  expect(body.subscription.trialEnd).toBe(at('2058-05-05', '12:00:00'));
  await stack.clockTo(at('2058-05-02', '13:00:00'));
  const [reminder, ...more] = await stack.mails('rebased@example.com');
  expect(more).toEqual([]);
  if (reminder === undefined) throw new Error('No reminder');
  await stack.choose(payLinkOf(reminder), 'pay');
  expect(await application.read(id)).toMatchObject({
    status: 'active',
    termStart: at('2058-05-05', '12:00:00'),
    endDate: at('2058-06-05', '12:00:00'),
  });
  await stack.clockTo(at('2058-06-01'));
  const renewal = (await stack.mails('rebased@example.com')).at(-1);
  await stack.choose(payLinkOf(renewal ?? reminder), 'pay');
  expect((await application.read(id)).endDate).toBe(at('2058-07-05', '12:00:00'));
  await application.call('POST', `/subscriptions/${id}`);
});

test('Polar, test_full_lifecycle (2025-01-01T12Z as 2059): renewed twice, cancelled at the end of the third term, never more than was paid', async () => {
  const application = await stack.application({ paymentGateway: 'sandbox' });
  const { id, body } = await begun(application, 'full', at('2059-01-01', '12:00:00'));
  await stack.choose(body.checkoutUrl, 'pay');
  for (const day of ['2059-02-01', '2059-03-01']) {
    await stack.clockTo(at(day, '11:00:00'));
    const mail = (await stack.mails('full@example.com')).at(-1);
    if (mail === undefined) throw new Error('No mail about the renewal');
    await stack.choose(payLinkOf(mail), 'pay');
  }
  await stack.clockTo(at('2059-03-15', '12:00:00'));
  const asked = await application.call('POST', `/subscriptions/${id}`, { atPeriodEnd: true });
  expect(asked.body.subscription).toMatchObject({ status: 'active', cancelAtPeriodEnd: true });
  await stack.clockTo(at('2059-04-01', '11:59:00'));
  expect(await application.current('full')).toMatchObject({ status: 'active', access: 'full' });
  await stack.clockTo(at('2059-04-01', '12:00:00'));
  const ended = await application.read(id);
  expect(ended).toMatchObject({
    status: 'cancelled',
    access: 'none',
    endReason: 'period_over',
    endedAt: at('2059-04-01', '12:00:00'),
  });
  const paid = ended.invoices.map(({ status, periodEnd }) => [status, periodEnd]);
  expect(paid.toSorted()).toEqual(
    ['2059-02-01', '2059-03-01', '2059-04-01'].map((day) => ['paid', at(day, '12:00:00')]),
  );
});

test('Polar, other_dunning: a subscription with two open invoices stays past_due until both are paid', async () => {
  const application = await stack.application({ paymentGateway: 'sandbox' });
  const { id, body } = await begun(application, 'two', at('2059-07-01'));
  await stack.choose(body.checkoutUrl, 'pay');
  await stack.clockTo(at('2059-07-26'));
  const renewal = (await stack.mails('two@example.com')).at(-1);
  if (renewal === undefined) throw new Error('No mail about the renewal');
  await stack.choose(payLinkOf(renewal), 'pay');
  const before = await application.read(id);
  expect(before).toMatchObject({ status: 'active', endDate: at('2059-09-01') });

  await stack.choose(body.checkoutUrl, 'reverse');
  await stack.choose(payLinkOf(renewal), 'reverse');
  expect(await application.current('two')).toMatchObject({ status: 'past_due', access: 'grace' });
  await stack.choose(payLinkOf(renewal), 'pay');
  expect((await application.read(id)).status).toBe('past_due');
  await stack.choose(body.checkoutUrl, 'pay');
  const after = await application.read(id);
  // The terms were granted already: a second payment does not grant them again.
  expect(after).toMatchObject({ status: 'active', access: 'full', endDate: before.endDate });
  expect(after.invoices.map(({ status }) => status)).toEqual(['paid', 'paid']);
  await application.call('POST', `/subscriptions/${id}`);
});
