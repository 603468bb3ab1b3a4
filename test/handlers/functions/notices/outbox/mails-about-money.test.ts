/** Courses of a subscription in which money moves, and what the mails say of it. */
import { minuteMs } from '../../../../../functions/shared/runtime/clock.ts';
import { call, good, leaveOutPdfs, onTestClock } from '../../../../support/call.ts';
import * as acts from '../../../../support/notices/mail-acts.ts';
import {
  type Act,
  at,
  atGateway,
  type Course,
  course,
  expectMails,
  late,
  type MailRow,
  paid,
  reason,
  type Setup,
  send,
  until,
  weekly,
} from '../../../../support/notices/mail-courses.ts';
import { transfer } from '../../../../support/payments/payments.ts';
import { goodPayment, recordPayment } from '../../../../support/samples/finance.ts';
import { storedSubscription } from '../../../../support/subscriptions/stored-state.ts';

onTestClock();
leaveOutPdfs();

const part = send('activate', { amount: 4 });
const granted: Act = async (one) => one.command('update', { endDate: await one.later(10), reason });
const atEnd = { atPeriodEnd: true };
/** A transfer with the reference arrives. */
const transferred: Act = async ({ seller, id, reader }) => {
  await transfer(seller, id, 1_189);
  await reader.read();
};
/** A payment is placed on an invoice. @param amount in EUR */
const placed = async (one: Course, paymentId: string, n: number, amount: number) => {
  const { seller, externalId, id, reader } = one;
  const { invoices } = await storedSubscription(seller, externalId, id);
  const parts = invoices.filter((invoice) => invoice.n === n).map(({ invoiceId }) => ({ invoiceId, amount }));
  const body = { invoices: parts, reason: 'It has no reference.' };
  good(await call('payments.reallocate', { headers: seller.headers, params: { id: paymentId }, body }));
  await reader.read();
};
/** A payment that waited is placed on the first invoice. */
const reallocated: Act = async (one) => {
  const { payment } = good(await recordPayment(one.seller, goodPayment({ amount: 4 })));
  await placed(one, payment._id, 1, 4);
};
/** The payment of the first invoice is placed on the second one. */
const movedOn: Act = async (one) => {
  const { seller, reader } = one;
  const { invoices } = await storedSubscription(seller, one.externalId, one.id);
  const invoiceId = invoices.find(({ n }) => n === 1)?.invoiceId;
  vi.setSystemTime(Date.now() + minuteMs);
  const { reference: _, ...body } = goodPayment({ invoiceId });
  const { payment } = good(await recordPayment(seller, body));
  await reader.read();
  await until(26)(one);
  vi.setSystemTime(Date.now() + minuteMs);
  await placed(one, payment._id, 2, 9.99);
};
const refundCancels = atGateway({ payments: { onRefund: 'cancel' } });
const reviving = (reviveDays: number): Setup => [{}, { settings: { payments: { reviveDays } } }];
const longDunning = { dunning: { reminderDays: [0], endsAfterDays: 30 } };
const germany = { line1: 'Main Street 1', postalCode: '10115', city: 'Town', country: 'DE' };
const exclusive = { tax: { rates: [{ country: 'DE', percent: 19 }], pricesInclude: 'exclusive' } };
/** EUR 9.99 without tax, EUR 11.89 with it. */
const taxed: Setup = [{}, { settings: exclusive, client: { address: germany } }];
const dearer = [paid, acts.changedTo({ price: 30 })];
const dearerSubjects = '^please pay | paid until | plan has changed, please pay';
/** The renewal was due, and credit pays it, when the next command arrives. */
const renewedLate = [send('activate', { amount: 25 }), until(20), late(27)];
const unpaidRenewal =
  '^please pay | paid until | renew$ | is due$ | overdue$ | restricted$ | ^last | unpaid$';

const rows: Record<string, MailRow> = {
  'an overpayment': [
    [],
    [send('activate', { amount: 25 })],
    '^please pay | ^payment received, paid until 10 April',
    /EUR 15\.01 .*credit.*There is nothing to do/,
  ],
  'an overdue week that is paid when the next one is overdue too': [
    [weekly, { settings: longDunning }],
    [paid, at(17, 'activate'), until(17)],
    '^please pay | paid until | to renew$ | ^last reminder | ^last reminder',
    /your payment for the term that ended on 24 March 2027 has arrived\. EUR 9\.99 for the next term .* is not paid yet/,
  ],
  'a part payment that finds an overdue subscription whose timer is late': [
    [],
    [paid, until(30), late(34), part],
    '^please pay | paid until | to renew$ | ^EUR 4.00 received, EUR 5.99 is still due$',
  ],
  'a pause of a subscription whose renewal was late, and paid from credit': [
    [],
    [...renewedLate, send('pause')],
    '^please pay | paid until | is paused$',
    /Your credit pays EUR 9\.99\. It pays until 10 May 2027.* Invoice INV-\w+-2, which is paid, is attached/,
  ],
  'a cancellation of a subscription whose renewal was late, and paid from credit': [
    [],
    [...renewedLate, send('cancel')],
    '^please pay | paid until | is cancelled$',
    /Your credit pays EUR 9\.99\. Your subscription .* Your credit at “Example App” is EUR 5\.02/,
  ],
  'a cancellation with a part of the renewal paid': [
    [],
    [paid, at(26, 'activate', { amount: 4 }), at(27, 'cancel')],
    '^please pay | paid until | to renew$ | ^EUR 4.00 received | is cancelled$',
    /EUR 4\.00 .*credit/,
  ],
  'days that are granted while the invoice of a change of plan is open': [
    [],
    [...dearer, granted],
    `${dearerSubjects} | now ends on 20 April`,
    /You pay nothing for it\. The open invoice is due as before\./,
  ],
  'a cancellation that is undone while the invoice of a change of plan is open': [
    [],
    [...dearer, send('cancel', atEnd), send('uncancel')],
    `${dearerSubjects} | your subscription ends on | was undone$`,
    /You get the invoice of the next term before it begins\. An invoice of the present term is open\./,
  ],
  'a refund that cancels': [
    refundCancels,
    [acts.refunded()],
    'paid until | is cancelled$',
    /has refunded EUR 9\.99/,
  ],
  'a refund that keeps the term, reported before its payment': [
    atGateway(),
    [acts.refundedFirst],
    '^EUR 9.99 was refunded$',
    /your payment has arrived/,
  ],
  'a refund in part that finds a late renewal': [
    atGateway(),
    [acts.refundedBesideRenewal],
    'paid until | to renew$',
    /has refunded EUR 3\.00\. .* Credit note CRN-\w+-1 is attached/,
  ],
  'a refund in part': [
    atGateway(),
    [acts.refunded({ returned: 300 })],
    'paid until | ^EUR 3.00 was refunded$',
    /Credit note CRN-\w+-1 is attached/,
  ],
  'a refund of what was credit': [
    atGateway(),
    [acts.refunded({ received: 1_499, returned: 500 })],
    'paid until | ^EUR 5.00 was refunded$',
  ],
  'a dispute of a part payment': [
    atGateway(),
    [acts.partDisputed],
    '^EUR 5.00 received, EUR 4.99 is still due$ | ^your payment was taken back, please pay EUR 9.99$',
    /so invoice INV-\w+-1 is not paid in full/,
  ],
  'one of two open invoices that is paid, and a dispute that is won': [
    atGateway(),
    [acts.disputeWon],
    'paid until | to renew$ | taken back | is overdue$ | paid until | was restored, no action',
  ],
  'another subscription in the days of grace': [
    [],
    [paid, until(35), acts.subscribedAgain],
    '^please pay | paid until | to renew$ | is due$ | is overdue$ | ^please pay | former subscription is void$ | paid until',
  ],
  'an invoice with tax that lapses late, and a payment that revives its subscription': [
    taxed,
    [late(22), transferred],
    '^please pay | paid until 1 May',
    /Credit note CRN-\w+-1, which cancels invoice INV-\w+-1, is attached/,
  ],
  'a reallocation to a subscription whose reminder is late': [
    [],
    [late(15), reallocated],
    '^please pay | ^EUR 4.00 received, EUR 5.99 is still due$',
  ],
  'a reallocation from one invoice of a subscription to the next one': [
    [],
    [movedOn],
    '^please pay | paid until | to renew$ | paid until',
    /booked elsewhere.* is still due/,
  ],
  'a downgrade at once': [
    [{ price: 30 }],
    [paid, until(10), acts.changedTo({}, { when: 'now', proration: 'credit' })],
    '^please pay | paid until | ^your plan has changed$',
    /Credit note CRN-\w+-1 is attached/,
  ],
  'a trial that nobody pays': [
    [{ trialPeriodDays: 14 }],
    [until(20)],
    '^your trial ends on | ^your trial has ended',
    /makes your subscription active again.* by 7 April 2027/,
  ],
  'a renewal that nobody pays, of a seller who revives for three days': [
    reviving(3),
    [paid, until(60)],
    unpaidRenewal,
    /makes your subscription active again.* by 4 May 2027/,
  ],
  'a year of changes at prices without tax': [
    taxed,
    [
      paid,
      until(10),
      acts.changedTo({ price: 30 }, { when: 'period_end' }),
      until(26),
      at(27, 'activate'),
      at(28, 'cancel', atEnd),
    ],
    '^please pay EUR 11.89 | paid until | ^your plan changes | ^please pay EUR 35.70 by 10 April 2027 to renew$ | paid until | ^your subscription ends',
  ],
};

test.each(Object.entries(rows))(
  'mails about money say what came of it, and contradict nothing: %s',
  (_, row) => expectMails(row),
);

test('a subscription that another one replaces tells what became credit of the part that was paid', async () => {
  const one = await course();
  for (const happen of [paid, until(30), part, until(35), acts.subscribedAgain]) await happen(one);
  const [replaced, begun] = one.reader.mails.slice(-2).map(({ mail }) => mail.text.replace(/\s+/g, ' '));
  expect(replaced).toContain('has replaced the one to “Pro”');
  expect(replaced).toContain('EUR 4.00 that had been paid is your credit');
  expect(begun).toContain('Your payment has arrived');
  expect(one.reader.contradictions()).toEqual([]);
});

test('a subscription that another one supersedes tells which invoice is void, and brings the document', async () => {
  const one = await course(...taxed);
  for (const happen of [late(1), acts.subscribedAgain]) await happen(one);
  const replaced = one.reader.mails.find(({ mail }) => mail.subject.endsWith('is void'))?.mail;
  const [invoice, ...rest] = one.reader.mails.flatMap(({ mail }) => mail.attachments ?? []);
  const [note] = replaced?.attachments ?? [];
  const [number, cancelled] = [note, invoice].map((file) => file?.filename.replace('.pdf', ''));
  expect(replaced?.text.replace(/\s+/g, ' ')).toContain(
    `Credit note ${number}, which cancels invoice ${cancelled}, is attached as PDF.`,
  );
  // The other invoice, and the credit note. The receipt has no invoice that asks for what it confirms.
  expect(rest).toHaveLength(2);
  expect(one.reader.contradictions()).toEqual([]);
});

test('a checkout that another one supersedes has no mail: its invoice was in none', async () => {
  const [plan, setup] = taxed;
  const one = await course(plan, { ...setup, gateway: 'sandbox' });
  await one.seller.subscribe({ body: { externalId: one.externalId } });
  await one.reader.read();
  expect(one.reader.subjects()).toEqual([]);
  expect(one.reader.contradictions()).toEqual([]);
});

test('two subscriptions of a client whose money becomes credit at once tell it each, in a mail of its own', async () => {
  const one = await course();
  const { seller, externalId, reader } = one;
  for (const happen of [paid, until(30), part, until(35)]) await happen(one);
  const other = good(await seller.subscribe({ body: { externalId } })).subscription;
  await reader.read();
  // The first one ends by a step that is late, when the payment of the other one is recorded.
  await late(53)(one);
  expect(reader.contradictions()).toEqual([]);
  good(await recordPayment(seller, goodPayment({ reference: other.referenceNumber, amount: 14.99 })));
  await reader.read();
  const [ended, begun] = reader.mails.slice(-2).map(({ mail }) => mail.text.replace(/\s+/g, ' '));
  expect(ended).toContain('EUR 4.00 that had been paid is your credit');
  expect(begun).toContain('EUR 5.00 more than was due has arrived: it is your credit');
  expect(reader.contradictions()).toEqual([]);
});
