/** Mails that say what the ledger does, each read after the request that causes it. */
import { randomUUID } from 'node:crypto';
import { recordClaim } from '../../../../../functions/payments/settle/claims.ts';
import { defined } from '../../../../../functions/shared/contract/defined.ts';
import { minuteMs, secondMs } from '../../../../../functions/shared/runtime/clock.ts';
import { call, good, leaveOutPdfs, onTestClock } from '../../../../support/call.ts';
import { atGateway, type Course, course, paid } from '../../../../support/notices/mail-courses.ts';
import { newEventId, refund, reportOf, settlement } from '../../../../support/payments/payments.ts';
import { goodPayment, recordPayment } from '../../../../support/samples/finance.ts';
import { stored } from '../../../../support/subscriptions/stored-state.ts';

onTestClock();
leaveOutPdfs();

const lastOf = ({ reader }: Course) => {
  const { mail } = reader.mails.at(-1) ?? {};
  return {
    subject: mail?.subject ?? '',
    text: mail?.text.replace(/\s+/g, ' ') ?? '',
    files: mail?.attachments ?? [],
  };
};

/** The next request is of another moment. */
const later = () => vi.setSystemTime(Date.now() + minuteMs);

/** A transfer for the first invoice. @returns the id of the payment. */
async function transferred(one: Course, amount = 9.99): Promise<string> {
  later();
  const [invoice] = (await stored(one)).invoices;
  const { reference: _, ...body } = goodPayment({ invoiceId: invoice?.invoiceId, amount });
  const { payment } = good(await recordPayment(one.seller, body));
  await one.reader.read();
  return payment._id;
}
async function moved(
  one: Course,
  name: 'payments.reverse' | 'payments.reallocate',
  id: string,
  body: object,
) {
  later();
  good(await call(name, { headers: one.seller.headers, params: { id }, body }));
  await one.reader.read();
}
const mistake = { reason: 'Recorded by mistake.' };

describe('a mail about an unpaid end says what the ledger does with a payment', () => {
  const expectOwed = async (one: Course, amount: string) => {
    const { subject, text } = lastOf(one);
    expect(subject).toContain('has ended unpaid');
    expect(text).toContain(`${amount} is still owed`);
    expect(text).not.toMatch(/do not pay its invoice|No payment arrived|already on its way/);
    const { subscription, invoices } = await stored(one);
    const owed = invoices.filter(({ n }) => subscription.debts?.includes(n));
    expect(owed.map(({ status }) => status)).toEqual(['uncollectible']);
    later();
    const body = goodPayment({ reference: subscription.referenceNumber, amount: Number(amount.slice(4)) });
    good(await recordPayment(one.seller, body));
    expect((await stored(one)).invoices.find(({ n }) => n === owed[0]?.n)?.status).toBe('paid');
    await one.reader.read();
    expect(lastOf(one).text).toContain('for a term of “Pro” that was granted');
    expect(one.reader.contradictions()).toEqual([]);
  };

  test.each([
    ['reversed', 'payments.reverse', mistake],
    ['moved away', 'payments.reallocate', { invoices: [], reason: mistake.reason }],
  ] as const)('a term that was granted is owed when its payment was %s', async (_, route, body) => {
    const one = await course();
    const id = await transferred(one);
    await one.until(20);
    await moved(one, route, id, body);
    await one.until(43);
    await expectOwed(one, 'EUR 9.99');
  });

  test('a term that still runs is owed, and a payment in time brings the subscription back', async () => {
    const one = await course({ billingCycle: 'annual' });
    const id = await transferred(one);
    await one.until(5);
    await moved(one, 'payments.reverse', id, mistake);
    await one.until(27);
    const { text } = lastOf(one);
    expect(text).toMatch(
      /EUR 9\.99 is still owed.* by 19 April 2027.* it makes your subscription active again/,
    );
    const { referenceNumber: reference } = (await stored(one)).subscription;
    good(await recordPayment(one.seller, goodPayment({ reference })));
    expect((await stored(one)).subscription.status).toBe('active');
  });

  test('a term that never began is not owed, and a part that arrived is not denied', async () => {
    const one = await course();
    await paid(one);
    await one.until(32);
    await one.command('activate', { amount: 4 });
    await one.until(60);
    const { text } = lastOf(one);
    expect(text).toContain('Only a part of the payment for “Pro” arrived');
    expect(text).toContain('Please do not pay its invoice any more');
    expect(text).toContain('EUR 4.00 that had been paid is your credit');
    expect(one.reader.contradictions()).toEqual([]);
  });
});

describe('a mail about money that left or came back says why', () => {
  test('a payment that the seller recorded by mistake was not taken back by a bank', async () => {
    const one = await course();
    await moved(one, 'payments.reverse', await transferred(one), mistake);
    const { subject, text } = lastOf(one);
    expect(subject).toContain('a payment was corrected, please pay EUR 9.99');
    expect(text).toContain('it did not arrive, or went back to the payer');
    expect(text).not.toContain('taken back by your bank');
    expect(one.reader.contradictions()).toEqual([]);
  });

  test('a refund that failed did not arrive as a payment, and is credit', async () => {
    const one = await course({ price: 25.7 }, { gateway: 'sandbox' });
    const report = await reportOf(one.seller, one.externalId);
    await settlement.recordPayment(report);
    await one.reader.read();
    later();
    await refund(report);
    await one.reader.read();
    later();
    const claim = {
      claim: 'refund_failed',
      id: `re_${randomUUID()}`,
      amountMinor: 2570,
      atMs: Date.now() + secondMs,
    } as const;
    await recordClaim({ ...report, eventId: newEventId(), claim });
    await one.reader.read();
    const { subject, text } = lastOf(one);
    expect(subject).toContain('a refund of EUR 25.70 failed, the money is your credit');
    expect(text).toContain(
      'A refund to you has failed: EUR 25.70 did not reach you. It is kept as your credit',
    );
    expect(text).not.toMatch(/thank you|has arrived/i);
    expect(one.reader.contradictions()).toEqual([]);
  });
});

describe('a mail after the end says what is owed and what is credit then', () => {
  /** A granted term of 119.00 whose payment was taken back, and that is given up. */
  async function owing(): Promise<Course> {
    const one = await course({ price: 119 });
    const id = await transferred(one, 119);
    await one.until(20);
    await moved(one, 'payments.reverse', id, mistake);
    await one.until(43);
    return one;
  }

  test('a credit note of a part leaves the rest owed', async () => {
    const one = await owing();
    await transferred(one, 40);
    const [invoice] = (await stored(one)).invoices;
    const params = { id: invoice?.invoiceId ?? '' };
    later();
    const body = { amount: 19, reason: 'Goodwill.' };
    good(await call('subscriptions.credit-invoice', { headers: one.seller.headers, params, body }));
    await one.reader.read();
    const { text } = lastOf(one);
    expect(text).toContain('EUR 60.00 is still owed');
    expect(text).not.toContain('nothing to pay');
    expect(one.reader.contradictions()).toEqual([]);
  });

  test.each([
    [
      'the whole payment',
      undefined,
      /EUR 31\.00 of it was taken from your credit.* EUR 119\.00 is still owed/,
    ],
    ['the credit', 31, /EUR 31\.00 of it was taken from your credit\.(?!.*still owed)/],
    ['a part of the invoice', 50, /EUR 31\.00 of it was taken from your credit.* EUR 19\.00 is still owed/],
  ])('a bank takes back %s of a payment of 150.00 for it', async (_, amount, says) => {
    const one = await owing();
    const id = await transferred(one, 150);
    expect(lastOf(one).text).toContain('EUR 31.00 more than was owed is your credit');
    await moved(one, 'payments.reverse', id, { reason: 'Bank.', ...defined({ amount }) });
    const { subject, text } = lastOf(one);
    expect(subject).toMatch(/a payment was corrected$/);
    expect(text).toMatch(says);
    expect(text).not.toMatch(/please pay|reminders follow/i);
    expect(one.reader.contradictions()).toEqual([]);
  });
});

describe('a mail says what is true when it arrives', () => {
  test('a reminder on the day on which grace ends says that access is restricted', async () => {
    const one = await course();
    await paid(one);
    await one.until(39);
    const { subject, text } = lastOf(one);
    expect(subject).toContain('your access is restricted');
    expect(text).toMatch(/to have full access again.* ended on 17 April 2027.*restricted since then/);
  });

  test('a change of the quantity names both quantities, and no change of the plan', async () => {
    const seats = { name: 'Team', price: 10, quantity: { min: 1, max: 10 } };
    const one = await course(seats, { body: { quantity: 3 } });
    await paid(one);
    const { planId } = (await stored(one)).subscription.plan;
    await one.command('change', { planId, quantity: 7, when: 'now' });
    const { subject, text } = lastOf(one);
    expect(subject).toContain('your quantity has changed');
    expect(text).toMatch(/from 3 × “Team” \(EUR 30\.00 .* to 7 × “Team” \(EUR 70\.00/);
    expect(one.reader.contradictions()).toEqual([]);
  });

  test('a receipt that brings the invoice for the first time has a document that states the payment', async () => {
    const one = await course(...atGateway());
    await settlement.recordPayment(await reportOf(one.seller, one.externalId));
    await one.reader.read();
    const { text, files } = lastOf(one);
    expect(files).toHaveLength(1);
    expect(text).toContain(', which is paid, is attached as PDF');
  });

  test('a credit note of the seller says why', async () => {
    const one = await course();
    await paid(one);
    const [invoice] = (await stored(one)).invoices;
    later();
    const why = 'Two days of downtime.';
    const params = { id: invoice?.invoiceId ?? '' };
    good(
      await call('subscriptions.credit-invoice', {
        headers: one.seller.headers,
        params,
        body: { amount: 2, reason: why },
      }),
    );
    await one.reader.read();
    expect(lastOf(one).text).toContain(`“${why}”`);
    const { _id: id } = good(await call('invoices.credit-note-list', { headers: one.seller.headers }))
      .creditNotes[0];
    const page = await call('invoices.credit-note-read', {
      headers: { ...one.seller.headers, accept: 'text/html' },
      params: { id },
    });
    expect(page.text).toContain(why);
  });
});
