import { randomBytes } from 'node:crypto';
import { paymentIdOf } from '../../../../../functions/ledger/payment-id.ts';
import { paymentStore } from '../../../../../functions/ledger/payment-store.ts';
import * as keys from '../../../../../functions/shared/contract/keys.ts';
import { getItem } from '../../../../../functions/shared/table/table.ts';
import { call } from '../../../../support/call.ts';
import { StripeApi } from '../../../../support/payments/stripe-api.ts';
import {
  apiVersions,
  corpusEvent,
  corpusNames,
  corpusText,
} from '../../../../support/payments/stripe-corpus.ts';
import { type NewPayable, newPayable, now } from '../../../../support/subscriptions/payable-invoices.ts';
import { samples } from '../../../../support/thoroughness.ts';

let stripe: StripeApi;
beforeAll(async () => {
  stripe = await StripeApi.start();
});
afterAll(() => stripe.stop());

/** The effect of an event after others: the file beside it. Amounts in minor units. `unread`: the event is kept for an operator. */
interface Reading {
  readonly after: readonly string[];
  readonly payment: string | null;
  readonly refunded: number;
  readonly disputed: number;
  readonly invoice: string;
  readonly subscription: string;
  readonly unread: boolean;
}

/** A pending subscription of EUR 25.70, to which the events of files are delivered. */
async function newCourse(version: string) {
  const payable: NewPayable = await newPayable('stripe', { invoice: { totalMinor: 2570 } });
  const { applicationId } = payable.tenant;
  stripe.keysOf(applicationId);
  const unique = randomBytes(6).toString('hex');
  const { subscriptionId, invoiceId } = payable.invoice;
  const startSeconds = Math.floor(Date.now() / 1_000);
  const names: Record<string, string> = { applicationId, subscriptionId, invoiceId, unique };
  const eventOf = (name: string) => corpusEvent(version, name, names, startSeconds);
  return {
    eventOf,
    deliver: async (name: string) => {
      const delivery = stripe.delivery(eventOf(name));
      const { status } = await call('payments.stripe-webhook', { params: { applicationId }, ...delivery });
      return status;
    },
    held: async () => {
      const paymentId = paymentIdOf(applicationId, 'stripe', `pi_${unique}`);
      const payment = await paymentStore.get(applicationId, paymentId);
      const { invoice, subscription } = await now(payable);
      return {
        payment: payment?.status ?? null,
        refunded: payment?.refundedMinor ?? 0,
        disputed: payment?.disputedMinor ?? 0,
        invoice: invoice.status,
        subscription: subscription.status,
      };
    },
    unread: (name: string) => getItem(keys.unreadableGatewayEvent(applicationId, eventOf(name).id)),
  };
}

/** Every order of some files. */
const orders = (names: readonly string[]): string[][] =>
  names.length === 0
    ? [[]]
    : names.flatMap((first) =>
        orders(names.filter((name) => name !== first)).map((rest) => [first, ...rest]),
      );

/** Orders in which each file comes first, and last: every order takes minutes. */
const someOrders = (names: readonly string[]): string[][] => {
  const turns = names.map((_, at) => [...names.slice(at), ...names.slice(0, at)]);
  return samples({
    few: turns.map((turn, at) => (at % 2 === 0 ? turn : turn.toReversed())),
    many: orders(names),
  });
};

/** The place of the money that Stripe has moved: the same in every order. */
async function heldAfter(version: string, order: readonly string[]) {
  const course = await newCourse(version);
  for (const name of order) expect(await course.deliver(name), name).toBe(200);
  return course.held();
}

describe.each(apiVersions)('an event of Stripe in the shape of %s', (version) => {
  test.each(corpusNames(version))('has its expected reading, delivered once and twice: %s', async (name) => {
    const { after, unread, ...expected }: Reading = JSON.parse(corpusText(version, `${name}.reading`));
    const course = await newCourse(version);
    for (const earlier of after) await course.deliver(earlier);
    for (let times = 0; times < 2; times += 1) {
      expect(await course.deliver(name)).toBe(200);
      expect(await course.held()).toEqual(expected);
    }
    const kept = await course.unread(name);
    expect(kept?.raw).toBe(unread ? JSON.stringify(course.eventOf(name)) : undefined);
  });
});

const paid = 'checkout.session.completed';

describe.each(apiVersions)('a refund in the shape of %s', (version) => {
  const failures = corpusNames(version).filter((name) =>
    /^(charge\.)?refund\..*(failed|canceled)$/.test(name),
  );
  test('that failed is told in each of its forms, which count once in every order with the refund', async () => {
    const courses = [
      ...orders([paid, 'charge.refunded', ...failures.slice(0, 1)]),
      ...someOrders(['charge.refunded', ...failures]).map((order) => [paid, ...order]),
    ];
    for (const order of courses)
      expect(await heldAfter(version, order), order.join()).toMatchObject({ refunded: 0, disputed: 0 });
  });
});

// The order matters to what is claimed, which each version states alike: test/pure/functions/ledger/claims.test.ts.
describe('events in every order', () => {
  const version = apiVersions.at(-1) ?? '';
  test.each(corpusNames(version).filter((name) => /dispute.created/.test(name)))(
    'leave one result of a refund and a dispute: %s',
    async (dispute) => {
      for (const order of orders([paid, 'charge.refunded', dispute]))
        expect(await heldAfter(version, order), order.join()).toEqual({
          payment: 'refunded',
          refunded: 2570,
          disputed: 0,
          invoice: 'refunded',
          subscription: 'active',
        });
    },
  );

  const course = [paid, 'charge.refunded', 'charge.refund.updated-failed', 'charge.dispute.created'];
  test.each([
    ['charge.dispute.closed-lost', 2570],
    ['charge.dispute.closed-won', 0],
  ])('leave the money where it is in a course that ends with %s', async (end, disputed) => {
    for (const order of someOrders([...course, end]))
      expect(await heldAfter(version, order), order.join()).toMatchObject({ refunded: 0, disputed });
  });
});
