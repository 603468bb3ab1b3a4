/** Courses of a subscription in which time passes, and what the mails say of it. */
import { dayMs } from '../../../../../functions/shared/runtime/clock.ts';
import { subscriptionStore } from '../../../../../functions/subscriptions/commands/subscription-store.ts';
import { handler as runStep } from '../../../../../functions/subscriptions/run-step.ts';
import { good, inputFor, leaveOutPdfs, noonMs, onTestClock, step } from '../../../../support/call.ts';
import {
  at,
  atGateway,
  course,
  expectMails,
  late,
  type MailRow,
  move,
  paid,
  readMails,
  reason,
  until,
} from '../../../../support/notices/mail-courses.ts';
import { contradictionsIn } from '../../../../support/notices/mail-judge.ts';
import { reportOf, settlement } from '../../../../support/payments/payments.ts';
import { goodPayment, recordPayment } from '../../../../support/samples/finance.ts';

onTestClock();
leaveOutPdfs();

const rows: Record<string, MailRow> = {
  'an invoice by transfer that nobody pays': [
    [],
    [until(30)],
    '^please pay EUR 9.99 by 17 March | is due, to start | was not paid, and does not start$',
  ],
  'a checkout that is abandoned': [atGateway(), [until(5)], ''],
  'a cancellation that is undone after the renewal invoice': [
    [],
    [
      paid,
      at(26, 'cancel', { atPeriodEnd: true }),
      at(27, 'uncancel'),
      at(28, 'cancel', { atPeriodEnd: true }),
      until(40),
    ],
    '^please pay | paid until | to renew$ | ^your subscription ends on | goes on, the cancellation was undone$ | ^your subscription ends on | is cancelled$',
  ],
  // The new end is so near that its reminder is due too.
  'a trial that is extended twice': [
    [{ trialPeriodDays: 14 }],
    [move(12, 'trialEnd', 20), move(33, 'trialEnd', 1), until(60)],
    '^your trial ends on 24 March | ^your free trial goes on until 13 April | ^your trial ends on 13 April | ^your trial ends on 14 April | ^your trial has ended',
  ],
  'days that are granted in dunning': [
    [],
    [paid, move(33.5, 'endDate', 10), at(43.5, 'activate')],
    '^please pay | paid until | to renew$ | is due$ | is overdue$ | ^your term now ends on | is due$ | is overdue$ | paid until',
  ],
  'renewal that is switched off after its invoice, and on again': [
    [],
    [
      paid,
      at(25, 'update', { autoRenew: false, reason }),
      at(26, 'update', { autoRenew: true, reason }),
      at(27, 'update', { autoRenew: false, reason }),
      until(40),
    ],
    '^please pay | paid until | to renew$ | not renew$ | renews$ | not renew$ | has ended$',
  ],
  'steps that are all taken eight days late': [
    [],
    [paid, late(33.5), async (one) => step(await one.seller.stateOf(one.externalId)), readMails],
    '^please pay | paid until | is overdue$',
  ],
};

test.each(Object.entries(rows))('mails contradict neither each other nor the state: %s', (_, row) =>
  expectMails(row),
);

test('mails that wait over days say what holds when they are sent', async () => {
  const one = await course();
  await one.until(0);
  good(await one.seller.act('activate', one.id));
  // The outbox is delivered only after the renewal invoice was issued.
  vi.setSystemTime(noonMs + 25 * dayMs);
  const subscription = await one.seller.stateOf(one.externalId);
  // A command that is refused takes the steps that are due.
  await one.seller.act('activate', one.id, { invoiceId: 'inv_none' });
  expect(subscription.status).toBe('active');
  await one.reader.read();
  expect(one.reader.bySubscription().flatMap((mails) => contradictionsIn(mails.slice(0, 2)))).toEqual([]);
});

test('a mail about an end that a late payment has undone before it was sent is not sent', async () => {
  const one = await course();
  await one.until(20);
  const subscription = await one.seller.stateOf(one.externalId);
  vi.setSystemTime(noonMs + 21 * dayMs);
  await runStep(inputFor(subscription));
  expect((await one.seller.stateOf(one.externalId)).status).toBe('expired');
  const body = goodPayment({ reference: subscription.referenceNumber });
  good(await recordPayment(one.seller, body));
  await one.reader.read();
  expect((await one.seller.stateOf(one.externalId)).status).toBe('active');
  expect(one.reader.bySubscription().flatMap(contradictionsIn)).toEqual([]);
  expect(one.reader.subjects().join()).not.toMatch(/does not start|has ended/);
});

test('a mail that is being sent is not taken back: the payment that would stand for it is decided again', async () => {
  const one = await course();
  await one.command('activate');
  await one.until(30);
  vi.setSystemTime(noonMs + 34 * dayMs);
  const write = subscriptionStore.write.bind(subscriptionStore);
  const isWritten: boolean[] = [];
  vi.spyOn(subscriptionStore, 'write').mockImplementation(async (changes, ...rest) => {
    const isPayment = changes.some(({ event }) => event === 'partial_payment');
    if (isPayment && isWritten.length === 0) await one.reader.read();
    const outcome = await write(changes, ...rest);
    if (isPayment) isWritten.push(outcome);
    return outcome;
  });
  const renewal = await reportOf(one.seller, one.externalId, { n: 2 });
  await settlement.recordPayment({ ...renewal, amountMinor: 400 });
  await one.reader.read();
  expect(isWritten).toEqual([false, true]);
  expect(one.reader.subjects().slice(-2)).toEqual([
    'reminder, your payment of EUR 9.99 is overdue',
    'EUR 4.00 received, EUR 5.99 is still due',
  ]);
  const { openInvoices } = await one.seller.stateOf(one.externalId);
  expect(openInvoices.map(({ settled }) => settled?.paidMinor)).toEqual([400]);
});

test('mails name the days of the time zone of the seller', async () => {
  const one = await course({}, { settings: { timeZone: 'Pacific/Kiritimati' } });
  await paid(one);
  const { reader } = one;
  await reader.read();
  expect(reader.subjects().join(' | ')).toMatch(
    /please pay EUR 9\.99 by 18 March 2027 .*paid until 11 April 2027$/,
  );
  expect(reader.lastText()).toMatch(/is paid until 11 April 2027, 02:01 GMT\+14/);
});
