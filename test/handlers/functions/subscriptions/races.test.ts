import { describe, expect, test, vi } from 'vitest';
import { recordReturn } from '../../../../functions/payments/settle/unapplied.ts';
import { dayMs } from '../../../../functions/shared/runtime/duration.ts';
import type { Status } from '../../../../functions/subscriptions/record/subscription.ts';
import { paying, type reportOf, transfer } from '../../../support/payments/payments.ts';
import { settlement } from '../../../support/payments/reports.ts';
import { lose, refund, win } from '../../../support/payments/reversals.ts';
import { expectOnce } from '../../../support/races.ts';
import { writtenEvents } from '../../../support/subscriptions/events.ts';
import {
  act,
  good,
  newClient,
  newPlan,
  newSeller,
  subscribedByTransfer,
} from '../../../support/subscriptions/requests.ts';
import { brought, daysLater, onTestClock, step } from '../../../support/subscriptions/steps.ts';
import {
  expectSound,
  type StoredSubscription,
  stateOf,
  storedSubscription,
} from '../../../support/subscriptions/stored-state.ts';
import { leaveOutPdfs } from '../../../support/subscriptions/unrendered-pdfs.ts';
import type { Tenant } from '../../../support/tenants.ts';

onTestClock();
leaveOutPdfs();

/** One subscription of a client, and what it has stored. */
interface One {
  seller: Tenant;
  id: string;
  externalId: string;
}
const stored = ({ seller, externalId, id }: One) => storedSubscription(seller, externalId, id);

interface Write {
  begin: () => Promise<One & { call: (caller: number) => Promise<unknown> }>;
  /** Of outcomes: the status of an answer, or what was recorded. By default, each is answered with 200. */
  ok?: unknown;
  /** How many effects there are, and of which type the event is that tells of each. */
  effects: (after: StoredSubscription) => number;
  event: string;
}

const entries =
  (event: string) =>
  ({ timeline }: StoredSubscription) =>
    timeline.filter((entry) => entry.event === event).length;
const terms = ({ subscription: { termIndex = 0 } }: StoredSubscription) => termIndex;

/** A command to a subscription in a state. */
const command =
  (status: Status, what: Parameters<typeof act>[1], body?: (one: One) => Promise<object>): Write['begin'] =>
  async () => {
    const seller = await newSeller();
    const one = { seller, ...(await brought(seller, status)) };
    const sent = await body?.(one);
    return Object.assign(one, { call: async () => (await act(seller, what, one.id, sent)).status });
  };

/** A report of a gateway about a payment, after those that came before it. */
const report =
  (tell: (report: Awaited<ReturnType<typeof reportOf>>) => Promise<unknown>, ...before: (typeof tell)[]) =>
  async () => {
    const one = await paying();
    for (const earlier of before) await earlier(one.report);
    return Object.assign(one, { call: () => tell(one.report) });
  };

/** A weekly plan, 15 days overdue. */
async function overdueWeek(): Promise<One> {
  const seller = await newSeller();
  const externalId = await newClient(seller);
  const planId = await newPlan(seller, { billingCycle: 'weekly' });
  const id = await subscribedByTransfer(seller, { externalId, planId });
  daysLater(22);
  return { seller, externalId, id };
}

const paid = (body: object) => async () => {
  const one = await overdueWeek();
  return Object.assign(one, { call: async () => (await act(one.seller, 'activate', one.id, body)).status });
};

const ended = async ({ seller, externalId }: One) => {
  const { termEndMs = 0 } = await stateOf(seller, externalId);
  return { endDate: new Date(termEndMs + dayMs).toISOString(), reason: 'An apology' };
};

const writes: Record<string, Write> = {
  'the first payment of a pending subscription': {
    begin: command('pending', 'activate'),
    effects: terms,
    event: 'subscription.activated',
  },
  'the payment of a trial': {
    begin: command('trialing', 'activate'),
    effects: terms,
    event: 'subscription.activated',
  },
  'the payment of an overdue term': {
    begin: paid({}),
    effects: (after) => terms(after) - 1,
    event: 'subscription.renewed',
  },
  'the payment of an overdue term, by the id of a payment': {
    begin: paid({ paymentId: 'transfer-1', amount: 9.99 }),
    effects: (after) => terms(after) - 1,
    event: 'subscription.renewed',
  },
  'the payment of what a dispute took back': {
    begin: async () => {
      const one = await paying();
      await settlement.recordPayment(one.report);
      daysLater(3);
      await lose(one.report);
      return Object.assign(one, { call: async () => (await act(one.seller, 'activate', one.id)).status });
    },
    effects: terms,
    event: 'subscription.recovered',
  },
  'a cancellation': {
    begin: command('active', 'cancel'),
    effects: entries('cancel'),
    event: 'subscription.cancelled',
  },
  'a cancellation at the end of the period': {
    begin: command('active', 'cancel', async () => ({ atPeriodEnd: true })),
    effects: entries('cancel_at_period_end'),
    event: 'subscription.cancellation_scheduled',
  },
  'a pause': {
    begin: command('active', 'pause'),
    ok: 200,
    effects: entries('pause'),
    event: 'subscription.paused',
  },
  'a resume': {
    begin: command('paused', 'resume'),
    ok: 200,
    effects: entries('resume'),
    event: 'subscription.resumed',
  },
  'a grant of days': {
    begin: command('active', 'update', ended),
    effects: entries('grant_days'),
    event: 'subscription.updated',
  },
  'a change of plan': {
    begin: async () => {
      const seller = await newSeller();
      const one = { seller, ...(await brought(seller, 'active')) };
      const planId = await newPlan(seller, { price: 62 });
      const change = async () => good(await act(seller, 'change', one.id, { planId })).change.effect;
      return Object.assign(one, { call: change });
    },
    ok: 'now',
    effects: ({ invoices }) => invoices.length - 1,
    event: 'subscription.plan_changed',
  },
  'a payment at a gateway': {
    begin: report(settlement.recordPayment),
    ok: 'applied',
    effects: terms,
    event: 'payment.applied',
  },
  'a dispute': {
    begin: report(lose, settlement.recordPayment),
    ok: 'recorded',
    effects: ({ subscription }) => subscription.openInvoices.length,
    event: 'payment.disputed',
  },
  'a dispute that is won': {
    begin: report(win, settlement.recordPayment, lose),
    ok: 'recorded',
    effects: entries('payment_reinstated'),
    event: 'payment.reinstated',
  },
  'a refund': {
    begin: report(refund, settlement.recordPayment),
    ok: 'recorded',
    effects: ({ subscription: { creditNoteCount = 0 } }) => creditNoteCount,
    event: 'credit_note.issued',
  },
  'a transfer': {
    begin: async () => {
      const seller = await newSeller();
      const one = { seller, ...(await brought(seller, 'pending')) };
      const call = async () => (await transfer(seller, one.id, 999, { sourceId: 'the-one' })).kind;
      return Object.assign(one, { call });
    },
    ok: 'changed',
    effects: terms,
    event: 'payment.received',
  },
  'a transfer that fits nothing': {
    begin: async () => {
      const seller = await newSeller();
      const one = { seller, ...(await brought(seller, 'pending')) };
      const unknown = { sourceId: 'the-other', target: { reference: 'SUB-00000000' } };
      return Object.assign(one, { call: async () => (await transfer(seller, one.id, 999, unknown)).kind });
    },
    ok: 'changed',
    effects: ({ subscription }) => subscription.openInvoices.length,
    event: 'payment.unapplied',
  },
  'the return of money that waits': {
    begin: async () => {
      const seller = await newSeller();
      const one = { seller, ...(await brought(seller, 'cancelled')) };
      const { payment } = await transfer(seller, one.id, 999);
      const { applicationId } = seller;
      const move = { applicationId, paymentId: payment.paymentId, by: 'application' } as const;
      return Object.assign(one, { call: async () => (await recordReturn(move)).kind });
    },
    ok: 'changed',
    effects: entries('payment_returned'),
    event: 'payment.returned',
  },
  'a step': {
    begin: async () => {
      const seller = await newSeller();
      const one = { seller, ...(await brought(seller, 'active')) };
      const seen = await stateOf(seller, one.externalId);
      vi.setSystemTime(seen.timer?.dueAtMs ?? 0);
      const call = async () => {
        await step(seen);
        return 200;
      };
      return Object.assign(one, { call });
    },
    effects: ({ invoices }) => invoices.length - 1,
    event: 'invoice.issued',
  },
};

describe('five callers at once', () => {
  test.each(Object.entries(writes))(
    'make one effect, and announce it once: %s',
    async (_, { begin, ok, effects, event }) => {
      const one = await begin();
      const before = new Set((await writtenEvents(one.seller.applicationId)).map(({ groupId }) => groupId));
      await expectOnce({
        call: one.call,
        isOk: (outcome) => outcome === (ok ?? 200),
        oks: ok === undefined ? 5 : 1,
        effects: async () => effects(await stored(one)),
      });
      const after = (await writtenEvents(one.seller.applicationId)).filter(
        ({ groupId }) => !before.has(groupId),
      );
      expect(after.filter(({ type }) => type === event)).toHaveLength(1);
      await expectSound(one.seller, one.externalId);
    },
  );
});
