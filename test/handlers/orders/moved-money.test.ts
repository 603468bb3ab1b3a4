/** Money that is moved, sent back or paid out, beside something else, under every order of the calls to the table. */
import { call, leaveOutPdfs, newSeller, onTestClock, type Tenant } from '../../support/call.ts';
import {
  briefly,
  expectSoundInEveryOrder,
  type Meeting,
  met,
  type Owner,
  onPayment,
  paid,
  reason,
  subscription,
  type Work,
} from '../../support/orders/money.ts';
import { lose, paying, paymentOf, reportOf, settlement, transfer } from '../../support/payments/payments.ts';

onTestClock();
leaveOutPdfs();

const payOut =
  ({ seller, externalId }: Owner, payOutId: string, amount: number): Work =>
  () =>
    briefly(
      call('payments.pay-out', {
        headers: seller.headers,
        params: { externalId },
        body: { payOutId, amount, currency: 'EUR', reason },
      }),
    );

/** The move of a payment to the invoice of another client. */
async function moveTo({ seller, externalId }: Owner, paymentId: string): Promise<Work> {
  const { invoiceId } = await reportOf(seller, externalId);
  return onPayment('reallocate', seller, paymentId, { invoices: [{ invoiceId, amount: 9.99 }], reason });
}

/** A transfer of 15 EUR that paid the invoice of 9.99 EUR of one of two clients. */
async function misbooked() {
  const seller = await newSeller();
  const owing = async () => ({ seller, ...(await seller.brought('pending')) });
  const wrong = await owing();
  const right = await owing();
  const { payment } = await transfer(seller, wrong.id, 1_500);
  const { paymentId } = payment;
  const reverse = onPayment('reverse', seller, paymentId, { reason });
  return { wrong, right, reverse, move: await moveTo(right, paymentId) };
}
const moved =
  (beside: (of: Awaited<ReturnType<typeof misbooked>>) => Work): Meeting =>
  async () => {
    const of = await misbooked();
    return { clients: [of.wrong, of.right], works: [of.move, beside(of)] };
  };

/** A client with 10 EUR of credit, of a transfer. */
async function withCredit(seller: Tenant) {
  const one = { seller, ...(await seller.subscribedTo({ price: 5 })) };
  const { payment } = await transfer(seller, one.id, 1_500);
  return Object.assign(one, { paymentId: payment.paymentId });
}
const ofCredit =
  (works: (one: Awaited<ReturnType<typeof withCredit>>) => Work[]): Meeting =>
  async () => {
    const one = await withCredit(await newSeller());
    return met(one, ...works(one));
  };

const pairs: [what: string, Meeting][] = [
  ['a move of a payment and the same one', moved(({ move }) => move)],
  [
    'a reversal and a pay-out of the credit',
    async () => {
      const { wrong, reverse } = await misbooked();
      return met(wrong, reverse, payOut(wrong, 'out', 5.01));
    },
  ],
  ['a pay-out and the same one', ofCredit((one) => [payOut(one, 'out', 4), payOut(one, 'out', 4)])],
  [
    'a pay-out of all the credit and the same one',
    ofCredit((one) => [payOut(one, 'out', 10), payOut(one, 'out', 10)]),
  ],
  ['pay-outs of more than the credit', ofCredit((one) => [payOut(one, 'one', 6), payOut(one, 'other', 6)])],
  [
    'a pay-out and the return of the same money',
    ofCredit((one) => [payOut(one, 'out', 10), onPayment('return', one.seller, one.paymentId)]),
  ],
  [
    'pay-outs of two clients under one id',
    async () => {
      const seller = await newSeller();
      const one = await withCredit(seller);
      const other = await withCredit(seller);
      return { clients: [one, other], works: [payOut(one, 'out', 4), payOut(other, 'out', 4)] };
    },
  ],
  [
    'money that waits is applied, and returned',
    async () => {
      const one = await subscription('pending');
      const { payment } = await transfer(one.seller, one.id, 999, { target: { reference: 'Rent' } });
      const apply = onPayment('apply', one.seller, payment.paymentId, { subscriptionId: one.id });
      return met(one, apply, onPayment('return', one.seller, payment.paymentId));
    },
  ],
];

test.each(pairs)('end as one after the other, with sound books: %s', (_, meeting) =>
  expectSoundInEveryOrder(meeting),
);

/** A move makes several transactions, between which the other work may come. */
const inParts: typeof pairs = [
  ['a move of a payment and its reversal', moved(({ reverse }) => reverse)],
  ['a move of a payment and a payment of the same invoice', moved(({ right }) => paid(right))],
  [
    'a move of a payment at a gateway and its dispute',
    async () => {
      const { report, ...wrong } = await paying();
      const right = { seller: wrong.seller, ...(await wrong.seller.brought('pending')) };
      await settlement.recordPayment(report);
      const move = await moveTo(right, (await paymentOf(report)).paymentId);
      return { clients: [wrong, right], works: [move, () => lose(report)] };
    },
  ],
];

test.each(inParts)('leave sound books: %s', (_, meeting) =>
  expectSoundInEveryOrder(meeting, { isInParts: true }),
);
