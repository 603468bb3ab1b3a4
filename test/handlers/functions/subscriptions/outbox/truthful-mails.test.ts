import { describe, expect, test, vi } from 'vitest';
import { dayMs, minuteMs } from '../../../../../functions/shared/runtime/duration.ts';
import { subscriptionStore } from '../../../../../functions/subscriptions/engine/subscription-store.ts';
import { handler as runStep } from '../../../../../functions/subscriptions/run-step.ts';
import { settlement } from '../../../../../functions/subscriptions/settlement/settlement.ts';
import { call } from '../../../../support/call.ts';
import { goodPayment, recordPayment } from '../../../../support/samples/finance.ts';
import { type Course, course, on } from '../../../../support/subscriptions/mail-courses.ts';
import { contradictionsIn, type JudgedMail } from '../../../../support/subscriptions/mail-judge.ts';
import { reportOf } from '../../../../support/subscriptions/payments.ts';
import { act, asSeller, good, newPlan, subscribe } from '../../../../support/subscriptions/requests.ts';
import { dispute } from '../../../../support/subscriptions/reversals.ts';
import { inputFor, noonMs, onTestClock, step } from '../../../../support/subscriptions/steps.ts';
import { stateOf } from '../../../../support/subscriptions/stored-state.ts';

onTestClock();

const reason = 'An apology';

const courses: Record<string, { run: () => Promise<Course>; subjects: RegExp[] }> = {
  'an invoice by transfer that nobody pays': {
    run: async () => {
      const one = await course();
      await one.until(30);
      return one;
    },
    subjects: [/^please pay EUR 9\.99 by 17 March/, /is due, to start/, /was not paid, and does not start$/],
  },
  'a checkout that is abandoned': {
    run: async () => {
      const one = await course({}, { gateway: 'sandbox' });
      await one.until(5);
      return one;
    },
    subjects: [],
  },
  'a pending subscription that is cancelled': {
    run: async () => {
      const one = await course();
      await on(one, 1, 'cancel');
      return one;
    },
    subjects: [/^please pay/, /is cancelled$/],
  },
  'a weekly subscription that is paid on day 15 after its end': {
    run: async () => {
      const one = await course({ billingCycle: 'weekly' });
      await one.command('activate');
      await on(one, 7 + 15, 'activate');
      // The end of the term that was paid passed eight days ago.
      await one.until(22);
      await one.until(50);
      return one;
    },
    subjects: [
      /^please pay/,
      /paid until 17 March 2027$/,
      /^please pay EUR 9\.99 by 17 March 2027 to renew$/,
      /^your payment of EUR 9\.99 is due$/,
      /is overdue$/,
      /at risk$/,
      /^last reminder/,
      // The confirmation and the reminder of the next term are one mail.
      /at risk$/,
      /^last reminder/,
      /ended unpaid$/,
    ],
  },
  'a renewal that is paid in dunning': {
    run: async () => {
      const one = await course();
      await one.command('activate');
      await on(one, 34, 'activate');
      await one.until(60);
      return one;
    },
    subjects: [/^please pay/, /paid until/, /to renew$/, /is due$/, /is overdue$/, /paid until/, /to renew$/],
  },
  'a cancellation that is undone after the renewal invoice': {
    run: async () => {
      const one = await course();
      await one.command('activate');
      await on(one, 26, 'cancel', { atPeriodEnd: true });
      await on(one, 27, 'uncancel');
      await on(one, 28, 'cancel', { atPeriodEnd: true });
      await one.until(40);
      return one;
    },
    subjects: [
      /^please pay/,
      /paid until/,
      /to renew$/,
      /^your subscription ends on/,
      /goes on, the cancellation was undone$/,
      /^your subscription ends on/,
      /is cancelled$/,
    ],
  },
  'a cancellation that is undone while the renewal invoice is due': {
    run: async () => {
      const one = await course();
      await one.command('activate');
      await on(one, 10, 'cancel', { atPeriodEnd: true });
      await on(one, 26, 'uncancel');
      await one.until(26);
      return one;
    },
    subjects: [/^please pay/, /paid until/, /^your subscription ends on/, /to renew$/],
  },
  'a cancelled trial': {
    run: async () => {
      const one = await course({ trialPeriodDays: 14 });
      await on(one, 12, 'cancel', { atPeriodEnd: true });
      await one.until(20);
      return one;
    },
    subjects: [/^your trial ends on/, /^your subscription ends on/, /is cancelled$/],
  },
  'a trial that is extended twice': {
    run: async () => {
      const one = await course({ trialPeriodDays: 14 });
      await on(one, 12, 'update', { trialEnd: await one.later(20), reason });
      await on(one, 33, 'update', { trialEnd: await one.later(1), reason });
      await one.until(60);
      return one;
    },
    subjects: [
      /^your trial ends on 24 March/,
      /^your trial now ends on 13 April/,
      /^your trial ends on 13 April/,
      // The new end is so near that its reminder is due too.
      /^your trial ends on 14 April/,
      /^your trial has ended/,
    ],
  },
  'days that are granted in dunning': {
    run: async () => {
      const one = await course();
      await one.command('activate');
      await on(one, 33.5, 'update', { endDate: await one.later(10), reason });
      await on(one, 43.5, 'activate');
      return one;
    },
    subjects: [
      /^please pay/,
      /paid until/,
      /to renew$/,
      /is due$/,
      /is overdue$/,
      /^your term now ends on/,
      /is due$/,
      /is overdue$/,
      /paid until/,
    ],
  },
  'renewal that is switched off after its invoice, and on again': {
    run: async () => {
      const one = await course();
      await one.command('activate');
      await on(one, 25, 'update', { autoRenew: false, reason });
      await on(one, 26, 'update', { autoRenew: true, reason });
      await on(one, 27, 'update', { autoRenew: false, reason });
      await one.until(40);
      return one;
    },
    subjects: [/^please pay/, /paid until/, /to renew$/, /not renew$/, /renews$/, /not renew$/, /has ended$/],
  },
  'a free plan': {
    run: async () => {
      const one = await course({ price: 0 });
      await one.until(70);
      return one;
    },
    subjects: [],
  },
  'a trial of a free plan': {
    run: async () => {
      const one = await course({ price: 0, trialPeriodDays: 14 });
      await one.until(70);
      return one;
    },
    subjects: [],
  },
  'one of two open invoices that is paid, and a dispute that is won': {
    run: async () => {
      const one = await course({}, { gateway: 'sandbox' });
      const { seller, externalId, reader } = one;
      const first = await reportOf(seller, externalId, { n: 1 });
      await settlement.recordPayment(first);
      await reader.read();
      await one.until(25);
      const about = { applicationId: seller.applicationId, paymentId: first.paymentId, ...dispute };
      await settlement.recordReversal({ ...about, eventId: 'evt_reversal' });
      await reader.read();
      await one.until(28);
      await settlement.recordPayment(await reportOf(seller, externalId, { n: 2 }));
      await reader.read();
      await one.until(29);
      await settlement.recordReinstatement({ ...about, eventId: 'evt_won', atMs: dispute.atMs + dayMs });
      await reader.read();
      return one;
    },
    subjects: [
      /paid until/,
      /to renew$/,
      /taken back/,
      /is overdue$/,
      /paid until/,
      /was restored, no action/,
    ],
  },
  'another subscription in the days of grace': {
    run: async () => {
      const one = await course();
      await one.command('activate');
      await one.until(35);
      const planId = await newPlan(one.seller);
      const body = { externalId: one.externalId, planId };
      const { subscription } = good(await subscribe(one.seller, { body }));
      await one.reader.read();
      vi.setSystemTime(Date.now() + minuteMs);
      good(await act(one.seller, 'activate', subscription._id));
      await one.reader.read();
      return one;
    },
    subjects: [
      /^please pay/,
      /paid until/,
      /to renew$/,
      /is due$/,
      /is overdue$/,
      /^please pay/,
      /paid until/,
    ],
  },
  'steps that are all taken eight days late': {
    run: async () => {
      const one = await course();
      await one.command('activate');
      vi.setSystemTime(noonMs + 33.5 * dayMs);
      await step(await stateOf(one.seller, one.externalId));
      await one.reader.read();
      return one;
    },
    subjects: [/^please pay/, /paid until/, /is overdue$/],
  },
};

describe('the mails of a course', () => {
  test.each(Object.entries(courses))(
    'contradict neither each other nor the state, and come one at a time: %s',
    async (_, { run, subjects }) => {
      const { reader } = await run();
      expect(reader.bySubscription().flatMap(contradictionsIn)).toEqual([]);
      const seen = reader.subjects();
      expect(seen, seen.join('\n')).toHaveLength(subjects.length);
      for (const [i, pattern] of subjects.entries()) expect(seen[i]).toMatch(pattern);
    },
  );

  test('that wait over days say what holds when they are sent', async () => {
    const one = await course();
    await one.until(0);
    good(await act(one.seller, 'activate', one.id));
    // The outbox is delivered only after the renewal invoice was issued.
    vi.setSystemTime(noonMs + 25 * dayMs);
    const subscription = await stateOf(one.seller, one.externalId);
    await call('subscriptions.activate', {
      headers: asSeller(one.seller),
      params: { id: one.id },
      body: { invoiceId: 'inv_none' },
    });
    expect(subscription.status).toBe('active');
    await one.reader.read();
    expect(one.reader.bySubscription().flatMap((mails) => contradictionsIn(mails.slice(0, 2)))).toEqual([]);
  });
});

test('a mail about an end that a late payment has undone before it was sent is not sent', async () => {
  const one = await course();
  await one.until(20);
  const subscription = await stateOf(one.seller, one.externalId);
  vi.setSystemTime(noonMs + 21 * dayMs);
  await runStep(inputFor(subscription));
  expect((await stateOf(one.seller, one.externalId)).status).toBe('expired');
  const body = goodPayment({ reference: subscription.referenceNumber });
  good(await recordPayment(one.seller, body));
  await one.reader.read();
  expect((await stateOf(one.seller, one.externalId)).status).toBe('active');
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
  const { openInvoices } = await stateOf(one.seller, one.externalId);
  expect(openInvoices.map(({ receivedMinor }) => receivedMinor)).toEqual([400]);
});

test('a command that is refused leaves the mail of the late steps before it', async () => {
  const one = await course();
  await one.command('activate');
  await one.until(30);
  vi.setSystemTime(noonMs + 34 * dayMs);
  expect((await act(one.seller, 'uncancel', one.id)).status).toBe(409);
  await one.reader.read();
  expect(one.reader.subjects().at(-1)).toMatch(/is overdue$/);
});

test('the rules find what is wrong with mails', async () => {
  const one = await course();
  const [mail] = one.reader.mails;
  if (mail === undefined) throw new Error('No mail');
  const paid = {
    ...mail.found,
    invoices: mail.found.invoices.map((i) => ({ ...i, status: 'paid' as const })),
  };
  const worse = (text: string, more: Partial<JudgedMail> = {}) =>
    contradictionsIn([{ ...mail, ...more, mail: { subject: '“A”: x', text } }]);
  expect(contradictionsIn([mail])).toEqual([]);
  expect(contradictionsIn([mail, mail])).toHaveLength(1);
  expect(worse('There is nothing to do.')).toHaveLength(1);
  expect(worse('Please pay EUR 9.99', { found: paid })).not.toEqual([]);
  expect(worse('Please pay EUR 5.00 now')).toHaveLength(1);
  expect(worse('Please pay EUR 9.99 by 1 March 2027')).toHaveLength(1);
  expect(worse('Please pay EUR 0.00.').join()).toContain('asks for nothing at all');
  expect(worse('Please pay EUR 0.69.').join()).not.toContain('asks for nothing at all');
  expect(worse('It is paid until 1 March 2027')).toHaveLength(2);
  expect(worse('A payment brings it back')).toHaveLength(1);
  const since = { gained: { currency: 'EUR', minor: 123_456 }, creditNotes: ['CRN-1'] };
  expect(worse('There is an invoice', { since })).toHaveLength(2);
  const attachments = [{ filename: 'CRN-1.pdf' }];
  const told = { subject: '“A”: x', text: 'EUR 1,234.56 is your credit', attachments };
  expect(contradictionsIn([{ ...mail, since, mail: told }])).toEqual([]);
  expect(worse('Your current term ends on 1 March 2027')).toHaveLength(1);
  const ended = { ...mail, mail: { subject: '“A”: your subscription has ended', text: '' } };
  expect(contradictionsIn([ended])).toHaveLength(2);
  const { subscription } = mail.found;
  const lapsed = { ...subscription, status: 'expired', endReason: 'unpaid', endedAtMs: noonMs } as const;
  const closed = mail.found.invoices.map((i) => ({ ...i, status: 'void' as const, closedAtMs: noonMs }));
  const found = { subscription: { ...lapsed, trialStartMs: noonMs }, invoices: closed };
  expect(contradictionsIn([{ ...ended, found }])).toHaveLength(1);
  expect(worse('It is paid until its end', { found })).toHaveLength(1);
  const exclusive = mail.found.invoices.map((i) => ({ ...i, totalMinor: 1_189, pricesInclude: 'exclusive' }));
  const net = { ...mail.found, invoices: exclusive as JudgedMail['found']['invoices'] };
  expect(worse('EUR 9.99 for one month', { found: net })).toHaveLength(1);
});
