/** Every command that moves money, at once with every other one and with itself. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type Call, call } from '../../../../support/call.ts';
import { paymentOf, reportOf, transfer } from '../../../../support/payments/payments.ts';
import { settlement } from '../../../../support/payments/reports.ts';
import { lose, refund } from '../../../../support/payments/reversals.ts';
import {
  act,
  asSeller,
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
  const credit = await transfer(seller, id, 400);
  const waiting = await transfer(seller, id, 700, { target: { reference: 'Rent' } });
  expect([credit.payment.status, waiting.payment.status]).toEqual(['credit', 'unapplied']);
  const { paymentId } = await paymentOf(report);
  daysLater(25);
  const ids = { credit: credit.payment.paymentId, waiting: waiting.payment.paymentId, gateway: paymentId };
  return { seller, externalId, id, otherPlanId, report, ids };
}
type Prepared = Awaited<ReturnType<typeof prepared>>;

/** Sends a request of the seller. @throws Error for an answer of 500 and more. */
async function sent({ seller }: Prepared, route: string, request: Call): Promise<void> {
  const { status, text } = await call(route, { headers: asSeller(seller), ...request });
  if (status >= 500) throw new Error(`${route}: ${text}`);
}

const reason = 'For the test.';
const commands: Readonly<Record<string, (one: Prepared) => Promise<unknown>>> = {
  pay: ({ seller, id }) => transfer(seller, id, 600),
  apply: (one) =>
    sent(one, 'payments.apply', { params: { id: one.ids.waiting }, body: { subscriptionId: one.id } }),
  return: (one) => sent(one, 'payments.return', { params: { id: one.ids.waiting }, body: { reason } }),
  'return the credit': (one) =>
    sent(one, 'payments.return', { params: { id: one.ids.credit }, body: { reason } }),
  reverse: (one) => sent(one, 'payments.reverse', { params: { id: one.ids.credit }, body: { reason } }),
  'pay out': (one) =>
    sent(one, 'payments.pay-out', {
      params: { externalId: one.externalId },
      body: { payOutId: randomUUID(), amount: 4, currency: 'EUR', reason },
    }),
  dispute: ({ report }) => lose(report),
  refund: ({ report }) => refund(report, 500),
  change: ({ seller, id, otherPlanId }) => act(seller, 'change', id, { planId: otherPlanId, when: 'now' }),
  cancel: ({ seller, id }) => act(seller, 'cancel', id),
  pause: ({ seller, id }) => act(seller, 'pause', id),
  'run the due step': async ({ seller, externalId }) => step(await stateOf(seller, externalId)),
};

const names = Object.keys(commands);
const pairs = names.flatMap((name, i) => names.slice(i).map((other) => [name, other] as const));
/** `npm test` takes a quarter of the pairs, and a thorough run takes all. */
const drawn = samples({ few: pairs.filter((_, i) => i % 4 === 0), many: pairs });

describe('two commands at once lose no money and double none:', () => {
  test.each(drawn)('to %s, and to %s', async (name, other) => {
    const one = await prepared();
    await Promise.all([commands[name]?.(one), commands[other]?.(one)]);
    await expectSound(one.seller, one.externalId);
  });
});
