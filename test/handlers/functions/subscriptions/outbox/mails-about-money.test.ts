import { describe, expect, test, vi } from 'vitest';
import { dayMs, hourMs } from '../../../../../functions/shared/runtime/duration.ts';
import {
  type PaymentEvent,
  settlement,
} from '../../../../../functions/subscriptions/settlement/settlement.ts';
import { goodPayment, recordPayment } from '../../../../support/samples/finance.ts';
import { type Course, course, on } from '../../../../support/subscriptions/mail-courses.ts';
import { contradictionsIn } from '../../../../support/subscriptions/mail-judge.ts';
import { reportOf } from '../../../../support/subscriptions/payments.ts';
import { act, good, newPlan } from '../../../../support/subscriptions/requests.ts';
import { dispute, newEventId, refund } from '../../../../support/subscriptions/reversals.ts';
import { noonMs, onTestClock } from '../../../../support/subscriptions/steps.ts';
import { stateOf } from '../../../../support/subscriptions/stored-state.ts';

onTestClock();

/** Reports a payment of the newest invoice of a course, and reads the mails. */
async function pay({ seller, externalId, reader }: Course, more: Partial<PaymentEvent> = {}) {
  const report = { ...(await reportOf(seller, externalId)), ...more };
  await settlement.recordPayment(report);
  await reader.read();
  return report;
}

/** A course that is paid, and then changes to a dearer plan at once. The difference is not paid. */
async function changed(): Promise<Course> {
  const one = await course();
  await one.command('activate');
  await one.command('change', { planId: await newPlan(one.seller, { price: 30 }) });
  return one;
}

const weekly = { billingCycle: 'weekly' };
const germany = { line1: 'Main Street 1', postalCode: '10115', city: 'Town', country: 'DE' };
const exclusive = { tax: { rates: [{ country: 'DE', percent: 19 }], pricesInclude: 'exclusive' } };
/** EUR 9.99 without tax, EUR 11.89 with it. */
const taxed = { settings: exclusive, client: { address: germany } };

const courses: Record<string, { run: () => Promise<Course>; subjects: RegExp[]; says?: RegExp[] }> = {
  'an overpayment': {
    run: async () => {
      const one = await course();
      await one.command('activate', { amount: 25 });
      return one;
    },
    subjects: [/^please pay/, /^payment received, paid until 10 April/],
    says: [/EUR 15\.01 .*credit.*There is nothing to do/],
  },
  'an overpayment of an overdue week, which pays the next week too': {
    run: async () => {
      const one = await course(weekly);
      await one.command('activate');
      await on(one, 15, 'activate', { amount: 30 });
      await one.until(15.5);
      return one;
    },
    subjects: [/^please pay/, /paid until/, /to renew$/, /is due$/, /is overdue$/, /risk$/, /until 31 March/],
    says: [/EUR 20\.01 more than was due.*There is nothing to do/],
  },
  'an overdue week that is paid when the next one is overdue too': {
    run: async () => {
      const one = await course(weekly, { settings: { dunning: { reminderDays: [0], endsAfterDays: 30 } } });
      await one.command('activate');
      await on(one, 17, 'activate');
      await one.until(17);
      return one;
    },
    subjects: [/^please pay/, /paid until/, /to renew$/, /^last reminder/, /^last reminder/],
    says: [
      /your payment for the term that ended on 24 March 2027 has arrived\. EUR 9\.99 for the next term .* is not paid yet/,
    ],
  },
  'a confirmation that is sent when its term is over': {
    run: async () => {
      const one = await course(weekly);
      good(await act(one.seller, 'activate', one.id));
      vi.setSystemTime(noonMs + 10 * dayMs);
      await one.reader.read();
      return one;
    },
    subjects: [/^please pay/, /^payment received$/],
    says: [/it pays the term that ended on 17 March 2027/],
  },
  'a part payment that finds an overdue subscription whose timer is late': {
    run: async () => {
      const one = await course();
      await one.command('activate');
      await one.until(30);
      vi.setSystemTime(noonMs + 34 * dayMs);
      await one.command('activate', { amount: 4 });
      return one;
    },
    subjects: [/^please pay/, /paid until/, /to renew$/, /^EUR 4\.00 received, EUR 5\.99 is still due$/],
  },
  'a part payment that finds a subscription that lapsed, whose timer is late': {
    run: async () => {
      const one = await course();
      await one.command('activate');
      await one.until(51);
      const subscription = await stateOf(one.seller, one.externalId);
      vi.setSystemTime(noonMs + 53 * dayMs);
      good(
        await recordPayment(one.seller, goodPayment({ reference: subscription.referenceNumber, amount: 4 })),
      );
      await one.reader.read();
      return one;
    },
    subjects: [
      /^please pay/,
      /until/,
      /renew$/,
      /due$/,
      /overdue$/,
      /risk$/,
      /^last reminder/,
      /ended unpaid$/,
    ],
    says: [/EUR 4\.00 has arrived\. It is your credit/],
  },
  'a cancellation with a part of the renewal paid': {
    run: async () => {
      const one = await course();
      await one.command('activate');
      await on(one, 26, 'activate', { amount: 4 });
      await on(one, 27, 'cancel');
      return one;
    },
    subjects: [/^please pay/, /paid until/, /to renew$/, /^EUR 4\.00 received/, /is cancelled$/],
    says: [/EUR 4\.00 .*credit/],
  },
  'a subscription that lapses with a part paid': {
    run: async () => {
      const one = await course();
      await one.command('activate', { amount: 4 });
      await one.until(30);
      return one;
    },
    subjects: [/^please pay/, /^EUR 4\.00 received/, /is due, to start/, /does not start$/],
    says: [/EUR 4\.00 .*credit/, /until \d+ April 2027/],
  },
  'days that are granted while the invoice of a change of plan is open': {
    run: async () => {
      const one = await changed();
      await one.command('update', { endDate: await one.later(10), reason: 'Outage' });
      return one;
    },
    subjects: [/^please pay/, /paid until/, /plan has changed, please pay/, /now ends on 20 April/],
    says: [/You pay nothing for it\. The open invoice is due as before\./],
  },
  'renewal that is switched off and on while the invoice of a change of plan is open': {
    run: async () => {
      const one = await changed();
      await one.command('update', { autoRenew: false, reason: 'Asked for it' });
      await one.command('update', { autoRenew: true, reason: 'Asked for it' });
      return one;
    },
    subjects: [/^please pay/, /paid until/, /plan has changed/, /does not renew$/, /renews$/],
    says: [/You get the invoice of each term before it begins\. An invoice of the present term is open\./],
  },
  'a cancellation while the invoice of a change of plan is open': {
    run: async () => {
      const one = await changed();
      await one.command('cancel', { atPeriodEnd: true });
      return one;
    },
    subjects: [/^please pay/, /paid until/, /plan has changed/, /your subscription ends on/],
    says: [/It does not renew\. The open invoice of its present term is due as before\./],
  },
  'a cancellation that is undone while the invoice of a change of plan is open': {
    run: async () => {
      const one = await changed();
      await one.command('cancel', { atPeriodEnd: true });
      await one.command('uncancel');
      return one;
    },
    subjects: [/^please pay/, /paid until/, /plan has changed/, /your subscription ends on/, /was undone$/],
    says: [
      /You get the invoice of the next term before it begins\. An invoice of the present term is open\./,
    ],
  },
  'a refund that cancels': {
    run: async () => {
      const settings = { payments: { onRefund: 'cancel' } };
      const one = await course({}, { gateway: 'sandbox', settings });
      const report = await pay(one);
      vi.setSystemTime(noonMs + dayMs);
      await refund(report);
      await one.reader.read();
      return one;
    },
    subjects: [/paid until/, /is cancelled$/],
    says: [/has refunded EUR 9\.99/],
  },
  'a refund that cancels, reported before its payment': {
    run: async () => {
      const settings = { payments: { onRefund: 'cancel' } };
      const one = await course({}, { gateway: 'sandbox', settings });
      const report = await reportOf(one.seller, one.externalId);
      await refund(report);
      await pay(one, report);
      return one;
    },
    subjects: [/is cancelled$/],
    says: [/your payment has arrived.*has refunded EUR 9\.99/],
  },
  'a refund that keeps the term, reported before its payment': {
    run: async () => {
      const one = await course({}, { gateway: 'sandbox' });
      const report = await reportOf(one.seller, one.externalId);
      await refund(report);
      await pay(one, report);
      return one;
    },
    subjects: [/^EUR 9\.99 was refunded$/],
    says: [/your payment has arrived/],
  },
  'a dispute that is reported before its payment': {
    run: async () => {
      const one = await course({}, { gateway: 'sandbox' });
      const { seller, externalId } = one;
      const report = await reportOf(seller, externalId);
      const about = { applicationId: seller.applicationId, paymentId: report.paymentId, ...dispute };
      await settlement.recordReversal({ ...about, eventId: newEventId() });
      await pay(one, report);
      return one;
    },
    subjects: [/^your payment was taken back, please pay EUR 9\.99$/],
  },
  'a dispute of a part payment': {
    run: async () => {
      const one = await course({}, { gateway: 'sandbox' });
      const { paymentId } = await pay(one, { amountMinor: 500 });
      const { applicationId } = one.seller;
      vi.setSystemTime(noonMs + hourMs);
      await settlement.recordReversal({ applicationId, paymentId, ...dispute, eventId: newEventId() });
      await one.reader.read();
      return one;
    },
    subjects: [
      /^EUR 5\.00 received, EUR 4\.99 is still due$/,
      /^your payment was taken back, please pay EUR 9\.99$/,
    ],
    says: [/so invoice INV-\w+-1 is not paid in full/],
  },
  'a refund in part': {
    run: async () => {
      const one = await course({}, { gateway: 'sandbox' });
      const report = await pay(one);
      vi.setSystemTime(noonMs + dayMs);
      await refund(report, 300);
      await one.reader.read();
      return one;
    },
    subjects: [/paid until/, /^EUR 3\.00 was refunded$/],
    says: [/Credit note CRN-\w+-1 is attached/],
  },
  'a refund after a cancellation': {
    run: async () => {
      const one = await course({}, { gateway: 'sandbox' });
      const report = await pay(one);
      await on(one, 1, 'cancel');
      vi.setSystemTime(noonMs + 2 * dayMs);
      await refund(report);
      await one.reader.read();
      return one;
    },
    subjects: [/paid until/, /is cancelled$/, /^EUR 9\.99 was refunded$/],
  },
  'a refund of what was credit': {
    run: async () => {
      const one = await course({}, { gateway: 'sandbox' });
      const report = await pay(one, { amountMinor: 1_499 });
      vi.setSystemTime(noonMs + dayMs);
      await refund(report, 500);
      await one.reader.read();
      return one;
    },
    subjects: [/paid until/, /^EUR 5\.00 was refunded$/],
  },
  'a downgrade at once': {
    run: async () => {
      const one = await course({ price: 30 });
      await one.command('activate');
      const planId = await newPlan(one.seller);
      await on(one, 10, 'change', { planId, when: 'now', proration: 'credit' });
      return one;
    },
    subjects: [/^please pay/, /paid until/, /^your plan has changed$/],
    says: [/Credit note CRN-\w+-1 is attached/],
  },
  'a trial that nobody pays': {
    run: async () => {
      const one = await course({ trialPeriodDays: 14 });
      await one.until(20);
      return one;
    },
    subjects: [/^your trial ends on/, /^your trial has ended/],
    says: [/brings it back.* until 7 April 2027/],
  },
  'a renewal that nobody pays, of a seller who revives for three days': {
    run: async () => {
      const one = await course({}, { settings: { payments: { reviveDays: 3 } } });
      await one.command('activate');
      await one.until(60);
      return one;
    },
    subjects: [/^please pay/, /paid until/, /renew$/, /is due$/, /overdue$/, /risk$/, /^last/, /unpaid$/],
    says: [/brings it back.* until 4 May 2027/],
  },
  'a renewal that nobody pays, of a seller who revives nothing': {
    run: async () => {
      const one = await course({}, { settings: { payments: { reviveDays: 0 } } });
      await one.command('activate');
      await one.until(60);
      return one;
    },
    subjects: [/^please pay/, /paid until/, /renew$/, /is due$/, /overdue$/, /risk$/, /^last/, /unpaid$/],
  },
  'a year of changes at prices without tax': {
    run: async () => {
      const one = await course({}, taxed);
      await one.command('activate');
      const planId = await newPlan(one.seller, { price: 30 });
      await on(one, 10, 'change', { planId, when: 'period_end' });
      await one.until(26);
      await on(one, 27, 'activate');
      await on(one, 28, 'cancel', { atPeriodEnd: true });
      return one;
    },
    subjects: [
      /^please pay EUR 11\.89/,
      /paid until/,
      /^your plan changes/,
      /^please pay EUR 35\.70 .*renew$/,
      /paid until/,
      /^your subscription ends/,
    ],
  },
};

describe('the mails about money', () => {
  test.each(Object.entries(courses))(
    'say what came of it, and contradict nothing: %s',
    async (_, { run, subjects, says = [] }) => {
      const { reader } = await run();
      const seen = reader.subjects();
      expect(reader.bySubscription().flatMap(contradictionsIn)).toEqual([]);
      expect(seen, seen.join('\n')).toHaveLength(subjects.length);
      for (const [i, pattern] of subjects.entries()) expect(seen[i]).toMatch(pattern);
      for (const pattern of says) expect(reader.lastText()).toMatch(pattern);
    },
  );
});
