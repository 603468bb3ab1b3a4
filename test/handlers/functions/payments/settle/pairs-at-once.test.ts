/** Every command that moves money, at once with every other one and with itself. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type Call, call } from '../../../../support/call.ts';
import { paymentOf, reportOf, transfer } from '../../../../support/payments/payments.ts';
import { settlement } from '../../../../support/payments/reports.ts';
import { lose, refund } from '../../../../support/payments/reversals.ts';
import {
  asSeller,
  callFor,
  good,
  newClient,
  newPlan,
  newSeller,
  subscribe,
} from '../../../../support/subscriptions/requests.ts';
import { daysLater, onTestClock, step } from '../../../../support/subscriptions/steps.ts';
import { expectSound, stateOf } from '../../../../support/subscriptions/stored-state.ts';
import { leaveOutPdfs } from '../../../../support/subscriptions/unrendered-pdfs.ts';
import { samples } from '../../../../support/thoroughness.ts';

onTestClock();
leaveOutPdfs();

/**
 * A subscription whose renewal invoice is due to be issued: its term was paid at the gateway, a transfer is credit, and
 * another one waits for a decision.
 */
async function prepared() {
  const seller = await newSeller('sandbox');
  const [externalId, planId, otherPlanId] = await Promise.all([
    newClient(seller),
    newPlan(seller, { price: 10 }),
    newPlan(seller, { price: 4 }),
  ]);
  const { subscription } = good(await subscribe(seller, { body: { externalId, planId } }));
  const id: string = subscription._id;
  const report = await reportOf(seller, externalId);
  expect(await settlement.recordPayment(report)).toBe('applied');
  const credit = await transfer(seller, id, 1_800);
  const waiting = await transfer(seller, id, 700, { target: { reference: 'Rent' } });
  expect([credit.payment.status, waiting.payment.status]).toEqual(['credit', 'unapplied']);
  const { paymentId } = await paymentOf(report);
  daysLater(25);
  const ids = { credit: credit.payment.paymentId, waiting: waiting.payment.paymentId, gateway: paymentId };
  return { seller, externalId, id, otherPlanId, report, ids };
}
type Prepared = Awaited<ReturnType<typeof prepared>>;

/** Whether a request of the seller was carried out. @throws Error for an answer of 500 and more. */
async function sent(route: string, request: Call): Promise<boolean> {
  const { status, text } = await call(route, request);
  if (status >= 500) throw new Error(`${route}: ${text}`);
  return status < 400;
}

const reason = 'For the test.';
/** A request about a payment of {@link prepared}. */
const about = (name: keyof Prepared['ids'], route: string, body: object) => (one: Prepared) =>
  sent(route, callFor(one.seller, one.ids[name], { ...body }));
const toSubscription = (route: string, body?: object) => (one: Prepared) =>
  sent(route, callFor(one.seller, one.id, body));

/** Each says whether it was carried out. */
const commands: Readonly<Record<string, (one: Prepared) => Promise<boolean>>> = {
  pay: async ({ seller, id }) => (await transfer(seller, id, 600)).kind === 'changed',
  apply: (one) => about('waiting', 'payments.apply', { subscriptionId: one.id })(one),
  return: about('waiting', 'payments.return', { reason }),
  'return the credit': about('credit', 'payments.return', { reason }),
  reverse: about('credit', 'payments.reverse', { reason }),
  reallocate: about('gateway', 'payments.reallocate', { invoices: [], reason }),
  'credit the invoice': ({ seller, report }) =>
    sent('subscriptions.credit-invoice', callFor(seller, report.invoiceId, { amount: 4, reason })),
  'pay out': ({ seller, externalId }) =>
    sent('payments.pay-out', {
      headers: asSeller(seller),
      params: { externalId },
      body: { payOutId: randomUUID(), amount: 4, currency: 'EUR', reason },
    }),
  dispute: async ({ report }) => (await lose(report)) === 'recorded',
  refund: async ({ report }) => (await refund(report, 500)) === 'recorded',
  change: (one) => toSubscription('subscriptions.change', { planId: one.otherPlanId, when: 'now' })(one),
  cancel: toSubscription('subscriptions.cancel'),
  pause: toSubscription('subscriptions.pause'),
  'run the due step': async ({ seller, externalId }) => {
    await step(await stateOf(seller, externalId));
    return true;
  },
};

const names = Object.keys(commands);
const pairs = names.flatMap((name, i) => names.slice(i).map((other) => [name, other] as const));
/** `npm test` takes a quarter of the pairs, and a thorough run takes all. */
const drawn = samples({ few: pairs.filter((_, i) => i % 4 === 0), many: pairs });

test.each(names)('the command to %s is carried out alone', async (name) => {
  const one = await prepared();
  expect(await commands[name]?.(one)).toBe(true);
  await expectSound(one.seller, one.externalId);
});

describe('two commands at once lose no money and double none:', () => {
  test.each(drawn)('to %s, and to %s', async (name, other) => {
    const one = await prepared();
    const outcomes = await Promise.all([commands[name]?.(one), commands[other]?.(one)]);
    expect(outcomes).toContain(true);
    await expectSound(one.seller, one.externalId);
  });
});
