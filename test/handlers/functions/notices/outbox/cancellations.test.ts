/** Each document of a cancellation is in one mail, if its invoice was in a mail. */
import { creditNoteStore } from '../../../../../functions/invoices/credit-note-store.ts';
import {
  call,
  daysLater,
  type Gateway,
  germanSeller,
  germanTax,
  good,
  leaveOutPdfs,
  newSeller,
  onTestClock,
  step,
} from '../../../../support/call.ts';
import { attachmentsTo } from '../../../../support/mail/mailbox.ts';
import { MailReader } from '../../../../support/notices/mail-reader.ts';
import * as money from '../../../../support/payments/payments.ts';
import { clientOf, expectSound, storedSubscription } from '../../../../support/subscriptions/stored-state.ts';

onTestClock();
leaveOutPdfs();

/** A pending subscription, whose invoice is of 9.99 EUR with tax. */
async function owing(gateway: Gateway) {
  const seller = await newSeller(gateway, { seller: germanSeller, tax: germanTax });
  const { id, externalId } = await seller.subscribed();
  const reader = new MailReader(seller, externalId);
  await reader.read();
  return { seller, id, externalId, reader };
}
type One = Awaited<ReturnType<typeof owing>>;

/** The amounts of the cancellations, and in how many mails each is. */
async function cancellations({ seller, id, externalId, reader }: One) {
  await reader.read();
  const notes = await creditNoteStore.latest(id);
  const files = await attachmentsTo((await clientOf(seller, externalId))?.email ?? '');
  await expectSound(seller, externalId);
  return notes
    .filter(({ reason }) => reason === 'cancellation')
    .toSorted((a, b) => a.n - b.n)
    .map(({ number, totalMinor }) => [
      totalMinor,
      files.filter(({ filename }) => filename === `${number}.pdf`).length,
    ]);
}

const recall = ({ seller }: One, paymentId: string) =>
  call('payments.reverse', seller.callFor(paymentId, { reason: 'Recalled.' }));

const ends: Record<string, [(one: One) => Promise<unknown>, string]> = {
  'its deadline': [
    async ({ seller, externalId }) => {
      daysLater(40);
      await step(await seller.stateOf(externalId));
    },
    'your subscription was not paid, and does not start',
  ],
  'another subscription': [
    async ({ seller, externalId }) =>
      good(await seller.subscribe({ body: { externalId, planId: await seller.newPlan() } })),
    'the invoice for your former subscription is void',
  ],
};

test.each(Object.entries(ends))(
  'a checkout whose invoice a mail named is told that %s ended it, also when nothing is paid of it any more',
  async (_, [end, subject]) => {
    const one = await owing('sandbox');
    const { payment } = await money.transfer(one.seller, one.id, 400);
    await one.reader.read();
    good(await recall(one, payment.paymentId));
    await one.reader.read();
    await end(one);
    expect(await cancellations(one)).toEqual([[999, 1]]);
    expect(one.reader.subjects().slice(1)).toEqual(['a payment was corrected, please pay EUR 9.99', subject]);
  },
);

test('what was paid of a checkout that ended is told to be credit', async () => {
  const one = await owing('sandbox');
  await money.transfer(one.seller, one.id, 400);
  await one.reader.read();
  daysLater(40);
  await step(await one.seller.stateOf(one.externalId));
  expect(await cancellations(one)).toEqual([[999, 1]]);
  expect(one.reader.lastText()).toContain('EUR 4.00 that had been paid is your credit');
});

type Paid = Awaited<ReturnType<typeof paidInPart>>;

/** How the invoice of an ended subscription loses the 4 EUR that it has received. */
const losses: Record<string, [Gateway, (one: One, paid: Paid) => Promise<unknown>, mail: string]> = {
  'a recall': ['none', (one, { paymentId }) => recall(one, paymentId), 'a payment was corrected'],
  'a reallocation': [
    'none',
    ({ seller }, { paymentId }) =>
      call('payments.reallocate', seller.callFor(paymentId, { invoices: [], reason: 'Wrong client.' })),
    'a payment was booked elsewhere',
  ],
  'a dispute': ['sandbox', (_, { report }) => money.lose(report), 'your payment was taken back'],
  'a refund': ['sandbox', (_, { report }) => money.refund(report), 'EUR 4.00 was refunded'],
};

/** The invoice of a term that was granted is paid in part, and its subscription is cancelled. */
async function paidInPart(one: One, gateway: Gateway) {
  const { seller, id, externalId } = one;
  const first = await money.reportOf(seller, externalId);
  const report = { ...(await money.reportOf(seller, externalId)), amountMinor: 400 };
  const { invoiceId } = first;
  if (gateway === 'none') {
    good(await recall(one, (await money.transfer(seller, id, 999)).payment.paymentId));
    const { payment } = await money.transfer(seller, id, 400);
    good(await seller.act('cancel', id));
    return { report, invoiceId, paymentId: payment.paymentId };
  }
  await money.settlement.recordPayment(first);
  await money.lose(first);
  await money.settlement.recordPayment(report);
  good(await seller.act('cancel', id));
  return { report, invoiceId, paymentId: report.paymentId };
}

test.each(Object.entries(losses))(
  'what a debt loses by %s is given up with its tax, and no document cancels it',
  async (_, [gateway, loses, mail]) => {
    const one = await owing(gateway);
    const paid = await paidInPart(one, gateway);
    await one.reader.read();
    const { length } = one.reader.subjects();
    await loses(one, paid);
    const { subscription, invoices } = await storedSubscription(one.seller, one.externalId, one.id);
    expect(subscription.debts).toEqual([1]);
    expect(invoices).toMatchObject([{ status: 'uncollectible', settled: { badDebtMinor: 999 } }]);
    expect(await cancellations(one)).toEqual([]);
    expect(one.reader.subjects().slice(length)).toEqual([mail]);
  },
);

test.each(Object.entries(losses))(
  'what credit notes made credit of a debt is credit no more after %s, and is not credited twice',
  async (_, [gateway, loses]) => {
    const one = await owing(gateway);
    const paid = await paidInPart(one, gateway);
    const body = { amount: 9.99, reason: 'Goodwill.' };
    good(await call('subscriptions.credit-invoice', one.seller.callFor(paid.invoiceId, body)));
    expect((await clientOf(one.seller, one.externalId))?.credit).toEqual({ EUR: 400 });
    await loses(one, paid);
    const { invoices } = await storedSubscription(one.seller, one.externalId, one.id);
    expect(invoices).toMatchObject([{ status: 'void', settled: { creditNotedMinor: 999 } }]);
    expect((await clientOf(one.seller, one.externalId))?.credit ?? {}).toEqual({});
    expect(await cancellations(one)).toEqual([]);
  },
);

test('an invoice that was paid early is void when its payment is recalled after the end, and a mail brings the document', async () => {
  const one = await owing('none');
  const { seller, id, externalId } = one;
  await money.transfer(seller, id, 999);
  daysLater(25);
  await step(await seller.stateOf(externalId));
  const { payment } = await money.transfer(seller, id, 999);
  good(await seller.act('cancel', id));
  await one.reader.read();
  good(await recall(one, payment.paymentId));
  expect(await cancellations(one)).toEqual([[999, 1]]);
  expect(one.reader.subjects().at(-1)).toBe('a credit note of EUR 9.99');
});

describe('a mail about an end offers no credit that is used up', () => {
  test('by a debt of the client, whose payment was recalled', async () => {
    const one = await owing('none');
    const { seller, id, externalId } = one;
    const { payment } = await money.transfer(seller, id, 1_500);
    daysLater(25);
    await step(await seller.stateOf(externalId));
    good(await recall(one, payment.paymentId));
    await one.reader.read();
    good(await seller.act('cancel', id));
    await one.reader.read();
    expect(one.reader.lastText()).toContain(
      'EUR 5.01 that had been paid became your credit, of which nothing is left.',
    );
  });

  test('by a pay-out that finds the end late', async () => {
    const one = await owing('none');
    const { seller, id } = one;
    await money.transfer(seller, id, 400);
    await one.reader.read();
    daysLater(40);
    good(await money.payOut(one, { amount: 4 }));
    await one.reader.read();
    const ended = one.reader.mails.find(({ mail }) => mail.subject.endsWith('does not start'));
    expect(ended?.mail.text.replace(/\s+/g, ' ')).toContain(
      'EUR 4.00 that had been paid became your credit, of which nothing is left.',
    );
  });
});
