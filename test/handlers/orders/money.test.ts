/** Requests and deliveries about a subscription and its payments at the same time, under every order of the calls to the table. */
import { dayMs } from '../../../functions/shared/runtime/clock.ts';
import type { Status } from '../../../functions/subscriptions/record/subscription.ts';
import { daysLater, good, leaveOutPdfs, newSeller, noonMs, onTestClock } from '../../support/call.ts';
import {
  activate,
  briefly,
  dueStep,
  expectSoundInEveryOrder,
  type Meeting,
  met,
  type One,
  type Owner,
  paid,
  reason,
  subscription,
  twice,
  type Work,
} from '../../support/orders/money.ts';
import { lose, paying, refund, reportOf, settlement, win } from '../../support/payments/payments.ts';
import { goodPayment, recordPayment } from '../../support/samples/finance.ts';
import { liveUntil } from '../../support/subscriptions/courses.ts';

onTestClock();
leaveOutPdfs();

type Report = Awaited<ReturnType<typeof reportOf>>;

const both =
  (status: Status, ...works: ((one: One) => Work)[]): Meeting =>
  async () => {
    const one = await subscription(status);
    return met(one, ...works.map((make) => make(one)));
  };

const subscribing = ({ seller, externalId }: Owner, more: object = {}) => {
  const body = { externalId, ...more };
  return () => briefly(seller.subscribe({ body }));
};

/** A payment that the seller records, with the same id each time. */
const recorded = ({ seller, id }: One) => {
  const body = goodPayment({ reference: undefined, subscriptionId: id, paymentId: 'transfer-1' });
  return () => briefly(recordPayment(seller, body));
};

/** Reports of a gateway on a payment, after earlier ones. */
const reported =
  (
    works: (report: Report, one: One) => Work[] | Promise<Work[]>,
    ...before: ((report: Report) => unknown)[]
  ): Meeting =>
  async () => {
    const one = await paying();
    for (const earlier of before) await earlier(one.report);
    return met(one, ...(await works(one.report, one)));
  };
const same = (tell: (report: Report) => Promise<unknown>, ...before: ((report: Report) => unknown)[]) =>
  reported((report) => [() => tell(report), () => tell(report)], ...before);

/** A command that is sent twice at once has one effect, and one event of this type tells of it. */
const once: [what: string, event: string, Meeting][] = [
  ['the first payment', 'subscription.activated', both('pending', activate, activate)],
  [
    'a grant of days',
    'subscription.updated',
    async () => {
      const one = await subscription('active');
      const { termEndMs = 0 } = await one.seller.stateOf(one.externalId);
      const endDate = new Date(termEndMs + dayMs).toISOString();
      return twice(one, () => briefly(one.seller.act('update', one.id, { endDate, reason })));
    },
  ],
  [
    'a change of plan',
    'subscription.plan_changed',
    async () => {
      const one = await subscription('active');
      const planId = await one.seller.newPlan({ price: 62 });
      return twice(one, () => briefly(one.seller.act('change', one.id, { planId })));
    },
  ],
  ['a payment at a gateway', 'payment.applied', same(settlement.recordPayment)],
  ['a dispute', 'payment.disputed', same(lose, settlement.recordPayment)],
  ['a dispute that is won', 'payment.reinstated', same(win, settlement.recordPayment, lose)],
  ['a refund', 'credit_note.issued', same(refund, settlement.recordPayment)],
  ['a transfer', 'payment.received', both('pending', paid, paid)],
  ['a payment that the seller records', 'payment.received', both('pending', recorded, recorded)],
  [
    'a step of the timer',
    'invoice.issued',
    async () => {
      const one = await subscription('active');
      return twice(one, await dueStep(one));
    },
  ],
];

test.each(once)('of two at once makes one effect, and announces it once: %s', (_, event, meeting) =>
  expectSoundInEveryOrder(meeting, {
    check: (types) => expect(types.filter((type) => type === event)).toHaveLength(1),
  }),
);

const pairs: [what: string, Meeting][] = [
  [
    'two creations of a trial',
    async () => {
      const seller = await newSeller();
      const externalId = await seller.newClient();
      const planId = await seller.newPlan({ trialPeriodDays: 14 });
      return twice({ seller, externalId }, subscribing({ seller, externalId }, { planId }));
    },
  ],
  ['the first payment and a creation', both('pending', activate, subscribing)],
  ['the payment of a trial and a creation', both('trialing', activate, subscribing)],
  [
    'two payments of one invoice',
    reported(async (report, { seller, externalId }) => {
      const other = await reportOf(seller, externalId);
      return [() => settlement.recordPayment(report), () => settlement.recordPayment(other)];
    }),
  ],
  [
    'a new payment of a disputed invoice and the dispute that is won',
    reported(
      async (report, { seller, externalId }) => {
        const other = await reportOf(seller, externalId);
        return [() => settlement.recordPayment(other), () => win(report)];
      },
      settlement.recordPayment,
      lose,
    ),
  ],
  [
    'a dispute that is won after the end and a new subscription',
    reported(
      async (report, one) => {
        await liveUntil(noonMs + 22 * dayMs, () => one.seller.stateOf(one.externalId));
        return [() => win(report), subscribing(one)];
      },
      settlement.recordPayment,
      lose,
    ),
  ],
  [
    'the step at the end of a trial and its payment',
    async () => {
      const one = await subscription('trialing');
      await liveUntil(noonMs + 13 * dayMs, () => one.seller.stateOf(one.externalId));
      return met(one, await dueStep(one), activate(one));
    },
  ],
];

test.each(pairs)('end as one after the other, with sound books: %s', (_, meeting) =>
  expectSoundInEveryOrder(meeting),
);

/** A work takes the steps that are due before its own, each in a transaction, and the other work may come between. */
const inParts: typeof pairs = [
  [
    'two payments of an overdue term',
    async () => {
      const seller = await newSeller();
      const externalId = await seller.newClient();
      const planId = await seller.newPlan({ billingCycle: 'weekly' });
      const { _id: id } = good(await seller.subscribe({ body: { externalId, planId } })).subscription;
      good(await seller.act('activate', id));
      daysLater(22);
      const one = { seller, externalId, id };
      return twice(one, activate(one, { paymentId: 'transfer-1', amount: 9.99 }));
    },
  ],
  ...(['trialing', 'past_due'] as const).map((status): [string, Meeting] => [
    `the payment of a ${status} subscription and of the pending one beside it`,
    async () => {
      const one = await subscription(status);
      const body = { externalId: one.externalId };
      const { _id: id } = good(await one.seller.subscribe({ body })).subscription;
      return met(one, activate(one), activate({ ...one, id }));
    },
  ]),
  ...(['activate', 'cancel', 'pause'] as const).map((what): [string, Meeting] => [
    `the step at the end of a term and a request to ${what}`,
    async () => {
      const one = await subscription('active');
      const step = await dueStep(one, dayMs);
      return met(one, step, () => briefly(one.seller.act(what, one.id)));
    },
  ]),
  [
    'a late payment and the cancellation after the end of a trial',
    async () => {
      const one = await subscription('trialing');
      await liveUntil(noonMs + 15 * dayMs, () => one.seller.stateOf(one.externalId));
      return met(one, paid(one), () => briefly(one.seller.act('cancel', one.id)));
    },
  ],
  [
    'a step of dunning and the payment',
    async () => {
      const one = await subscription('past_due');
      await liveUntil(Date.now() + 12 * dayMs, () => one.seller.stateOf(one.externalId));
      return met(one, await dueStep(one), paid(one));
    },
  ],
];

test.each(inParts)('leave sound books: %s', (_, meeting) =>
  expectSoundInEveryOrder(meeting, { isInParts: true }),
);
