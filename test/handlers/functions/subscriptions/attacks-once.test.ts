import { describe, expect, test, vi } from 'vitest';
import { dayMs } from '../../../../functions/shared/runtime/duration.ts';
import { settlement } from '../../../../functions/subscriptions/settlement/settlement.ts';
import { failTable, loseAnswers, transactionConflict } from '../../../support/faults.ts';
import { choose } from '../../../support/subscriptions/payable-invoices.ts';
import {
  act,
  current,
  good,
  newClient,
  newPlan,
  newSeller,
  subscribe,
} from '../../../support/subscriptions/requests.ts';
import { dispute } from '../../../support/subscriptions/reversals.ts';
import { brought, noonMs, onTestClock, step } from '../../../support/subscriptions/steps.ts';
import { expectSound, stateOf, storedSubscriptions } from '../../../support/subscriptions/stored-state.ts';
import { leaveOutPdfs } from '../../../support/subscriptions/unrendered-pdfs.ts';
import type { Tenant } from '../../../support/tenants.ts';

onTestClock();
leaveOutPdfs();

const week = 7 * dayMs;

/** A command that lost too many races, and a step that another run or command has taken, or that is not due yet. */
const isExpected = (reason: { code?: string; name?: string }) =>
  reason.code === 'conflict' || reason.name === 'StepNotTaken';

/** The weeks of access equal the weeks paid, whichever request won. */
async function expectPaidWeeks(seller: Tenant, externalId: string): Promise<void> {
  await expectSound(seller, externalId);
  for (const { subscription, invoices, timeline } of await storedSubscriptions(seller, externalId)) {
    const { termEndMs, trialEndMs, trialRemainder, pausedAtMs, startAtMs } = subscription;
    if (termEndMs === undefined || pausedAtMs !== undefined) continue;
    if (timeline.some(({ event }) => event === 'pause')) continue;
    const begun = timeline.find(({ event, from }) => event === 'payment' && from !== 'past_due')?.atMs ?? 0;
    const fromMs = trialEndMs ?? Math.max(begun, startAtMs, trialRemainder?.untilMs ?? 0);
    const paid = invoices.filter(({ status, reversed }) => status === 'paid' || reversed);
    expect((termEndMs - fromMs) / week, 'weeks').toBe(paid.length);
  }
}

async function reportsOf(seller: Tenant, externalId: string, name: string) {
  const invoices = (await storedSubscriptions(seller, externalId)).flatMap((one) => one.invoices);
  return invoices.map(({ invoiceId, totalMinor, currency }) => {
    const paymentId = `${name}-${invoiceId}`;
    return {
      applicationId: seller.applicationId,
      invoiceId,
      paymentId,
      eventId: paymentId,
      amountMinor: totalMinor,
      currency,
    };
  });
}

describe('concurrent commands and steps', () => {
  test.each(['pending', 'trialing', 'active', 'past_due', 'paused'] as const)(
    'leave consistent invoices and terms for a client whose subscription is %s',
    async (status) => {
      for (const moment of [0, 1, 2]) {
        vi.setSystemTime(noonMs);
        const seller = await newSeller('sandbox', { trial: { oncePerClient: false } });
        const [weekly, trial] = await Promise.all([
          newPlan(seller, { billingCycle: 'weekly' }),
          newPlan(seller, { billingCycle: 'weekly', trialPeriodDays: 14 }),
        ]);
        const externalId = await newClient(seller);
        const body = { externalId, planId: status === 'trialing' ? trial : weekly };
        const { _id: id } = good(await subscribe(seller, { body })).subscription;
        const doing = async (what: Parameters<typeof act>[1]) => good(await act(seller, what, id));
        if (status !== 'pending' && status !== 'trialing') await doing('activate');
        if (status === 'paused') await doing('pause');
        const later = { pending: 0.5, trialing: 12, active: 5, past_due: 8, paused: 1 }[status];
        vi.setSystemTime(Date.now() + later * dayMs);
        const before = await stateOf(seller, externalId);
        if (before.timer !== undefined && before.timer.dueAtMs <= Date.now()) await step(before);
        // In the middle of the term, when a step is due, and long after.
        const subscription = await stateOf(seller, externalId, id);
        if (moment === 1) vi.setSystemTime(Math.max(Date.now(), subscription.timer?.dueAtMs ?? 0));
        if (moment === 2) vi.setSystemTime(Date.now() + 90 * dayMs);
        const reports = await reportsOf(seller, externalId, 'a');
        const others = await reportsOf(seller, externalId, 'b');
        const work: (() => Promise<unknown>)[] = [
          ...[...reports, ...reports, ...others].map((report) => () => settlement.recordPayment(report)),
          ...(subscription.timer === undefined ? [] : [() => step(subscription), () => step(subscription)]),
          () => act(seller, 'activate', id),
          () => act(seller, 'activate', id),
          () => act(seller, 'pause', id),
          () => act(seller, 'resume', id),
          () => act(seller, 'cancel', id, { atPeriodEnd: true }),
          () => act(seller, 'uncancel', id),
          () => subscribe(seller, { body }),
          () => subscribe(seller, { body }),
          ...(moment === 0 ? [] : [() => act(seller, 'cancel', id)]),
          ...reports.map(
            (report) => () =>
              settlement.recordReversal({ ...dispute, ...report, eventId: `${report.eventId}-back` }),
          ),
        ];
        const outcomes = await Promise.allSettled(
          work.toSorted(() => Math.random() - 0.5).map((one) => one()),
        );
        for (const outcome of outcomes) {
          if (outcome.status === 'rejected')
            expect(isExpected(outcome.reason), String(outcome.reason)).toBe(true);
          else if (outcome.value && typeof outcome.value === 'object' && 'status' in outcome.value)
            expect([200, 201, 409]).toContain(outcome.value.status);
        }
        await expectPaidWeeks(seller, externalId);
        // Each payment is told once: in a mail of its own, or in the mail of what followed at the same moment.
        for (const { subscription, timeline, outbox } of await storedSubscriptions(seller, externalId)) {
          const paying = timeline.filter(({ event }) => event === 'payment' || event === 'payment_revived');
          const written = outbox.flatMap((entry) => (entry.kind === 'mail' ? entry : []));
          const held = (subscription.heldMails ?? []).map(({ mail }) => mail);
          const told = [...written, ...held].flatMap(({ template, facts: { news = [] } }) => [
            template,
            ...news.map((one) => one.template),
          ]);
          expect(told.filter((template) => template === 'activated')).toHaveLength(paying.length);
        }
      }
    },
  );
});

describe('a lost response of the table', () => {
  /** Executes every transaction and loses its response, in every attempt of the caller. */
  async function losing<T>(work: () => Promise<T>): Promise<T> {
    let lost = 0;
    const fault = loseAnswers((command) => command === 'TransactWriteItemsCommand' && lost++ === 0);
    try {
      return await work();
    } finally {
      fault.restore();
    }
  }

  test.each([
    ['pending', 'activate'],
    ['active', 'pause'],
    ['paused', 'resume'],
    ['active', 'cancel'],
  ] as const)('of a %s one: who says %s again finds it done once', async (status, what) => {
    const seller = await newSeller();
    const { id, externalId } = await brought(seller, status);
    expect((await losing(() => act(seller, what, id))).status).toBe(500);
    const between = await stateOf(seller, externalId);
    const again = await act(seller, what, id);
    expect([200, 409]).toContain(again.status);
    expect(await stateOf(seller, externalId)).toEqual(between);
    await expectSound(seller, externalId);
  });

  test('to a create: it is answered with what was created, and so is the repeated key', async () => {
    const seller = await newSeller();
    const externalId = await newClient(seller);
    const planId = await newPlan(seller, { trialPeriodDays: 14 });
    const request = { body: { externalId, planId }, headers: { 'idempotency-key': 'k1' } };
    const first = good(await losing(() => subscribe(seller, request))).subscription;
    expect(first.status).toBe('trialing');
    expect(good(await subscribe(seller, request)).subscription).toEqual(first);
    expect(await storedSubscriptions(seller, externalId)).toHaveLength(1);
  });

  test('to a payment: the page shows the invoice as paid, and it was paid once', async () => {
    const seller = await newSeller('sandbox');
    const externalId = await newClient(seller);
    const answer = good(await subscribe(seller, { body: { externalId } }));
    const token = answer.checkoutUrl.split('/').at(-1);
    expect((await losing(() => choose(token, 'pay'))).status).toBe(500);
    expect((await choose(token, 'pay')).status).toBe(303);
    expect(await stateOf(seller, externalId)).toMatchObject({
      status: 'active',
      termIndex: 1,
    });
  });
});

test('temporary transaction conflicts fail no request and repeat no effect', async () => {
  const seller = await newSeller();
  const { id, externalId } = await brought(seller, 'pending');
  let met = 0;
  const fault = failTable((command) => {
    if (command !== 'TransactWriteItemsCommand') return undefined;
    met += 1;
    return met <= 7 ? transactionConflict() : undefined;
  });
  const answer = await act(seller, 'activate', id);
  fault.restore();
  expect(answer.status).toBe(200);
  expect(await stateOf(seller, externalId)).toMatchObject({
    status: 'active',
    termIndex: 1,
  });
});

test('a function whose clock is behind hides no pending subscription', async () => {
  const seller = await newSeller();
  const externalId = await newClient(seller);
  const planId = await newPlan(seller);
  const first = good(await subscribe(seller, { body: { externalId, planId } })).subscription;
  vi.setSystemTime(Date.now() - 20);
  const second = good(await subscribe(seller, { body: { externalId, planId } })).subscription;
  const shown = good(await current(seller, externalId)).subscription;
  expect([shown._id, shown.status]).toEqual([second._id, 'pending']);
  expect(shown._id).not.toBe(first._id);
});
