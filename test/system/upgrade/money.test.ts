/** Payments and subscriptions that release 0.1.0 and the code of 22 November 2026 stored, and what happens to them now. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { paymentIdOf } from '../../../functions/subscriptions/payments/payment-id.ts';
import { newOperatorKey, storeOperatorKey } from '../../../lib/operator/operator-key.ts';
import { dumpTable, type Fixture, readFixture } from '../../upgrade/fixture.ts';
import { createBooks } from '../../upgrade/record-books.ts';
import { reportAtStripe, type StripeReport } from '../../upgrade/record-payments.ts';
import { bearer, createTenants, ok } from '../../upgrade/records.ts';
import { lastRelease } from '../../upgrade/release.ts';
import type { StackAt } from '../../upgrade/stack.ts';
import { leaveModules, ownModules, startWith } from '../../upgrade/start-with.ts';

const dayS = 86_400;
let stack: StackAt | undefined;

beforeAll(ownModules);
afterAll(leaveModules);
afterEach(async () => {
  await stack?.stop();
  stack = undefined;
});

/** What each code stored, with a subscription that was paid at Stripe. */
const released = readFixture(lastRelease);
const deployed = readFixture('2026-11-22');
const stored: readonly [string, Fixture, { id: string; name: string }][] = [
  ['release 0.1.0', released, { id: released.held.subscriptions.billed.id, name: 'first' }],
  ['the code of 22 November 2026', deployed, { id: deployed.held.payments.kept.id, name: 'kept' }],
];

/** The calls of the tenants of a fixture, on a stack of its own. */
async function upgraded(fixture: Fixture) {
  const { tenants } = fixture.held;
  const started = await startWith(fixture);
  stack = started;
  const seller = started.known(tenants.offline._id, tenants.offline.apiKey);
  const merchant = started.known(tenants.stripe._id, tenants.stripe.apiKey);
  return {
    stack: started,
    seller,
    merchant,
    report: (report: StripeReport) => reportAtStripe(started, tenants, report),
    command: async (id: string, what: string, body?: object) =>
      ok(await seller.call('POST', `/subscriptions/${id}${what}`, body)),
    /** The payments that the application with Stripe is shown. */
    payments: async () =>
      ok(await merchant.call('GET', '/api/v1/payments')).payments.map(
        ({
          status,
          applied,
          returned,
        }: {
          status: string;
          applied: { amount: number }[];
          returned: number;
        }) => ({
          status,
          applied: applied.map(({ amount }) => amount),
          returned,
        }),
      ),
    stateOf: async (id: string, of = merchant) => {
      const { status, invoices } = await of.read(id);
      return [status, invoices.map((invoice) => invoice.status).join()];
    },
  };
}

describe.each(stored)('a payment that %s recorded', (_, fixture, { id, name }) => {
  test('is disputed, and the dispute is won: as if it had not happened, and the payment has a record', async () => {
    const { merchant, report, payments, stateOf } = await upgraded(fixture);
    const before = await merchant.read(id);
    await report({ name, kind: 'dispute' });
    expect(await stateOf(id)).toEqual(['past_due', 'open']);
    expect(await payments()).toEqual([{ status: 'disputed', applied: [], returned: 9.99 }]);
    await report({ name, kind: 'won' });
    const { status, endDate, access, invoices } = await merchant.read(id);
    expect([status, endDate, access]).toEqual([before.status, before.endDate, before.access]);
    expect(invoices.map((invoice) => invoice.status)).toEqual(['paid']);
    expect(await payments()).toEqual([{ status: 'applied', applied: [9.99], returned: 0 }]);
  });

  test('is disputed, and the dispute is lost: dunning ends the subscription', async () => {
    const { stack: running, report, payments, stateOf } = await upgraded(fixture);
    await report({ name, kind: 'dispute' });
    await report({ name, kind: 'lost' });
    expect(await stateOf(id)).toEqual(['past_due', 'open']);
    await running.clockBy(22 * dayS);
    expect(await stateOf(id)).toEqual(['expired', 'uncollectible']);
    expect(await payments()).toEqual([{ status: 'disputed', applied: [], returned: 9.99 }]);
  });

  test('is refunded in part and then in whole: a credit note, then a refunded invoice, without dunning', async () => {
    const { merchant, report, payments, stateOf } = await upgraded(fixture);
    await report({ name, kind: { refundedMinor: 400, whole: false } });
    expect(await stateOf(id)).toEqual(['active', 'paid']);
    expect(await payments()).toEqual([{ status: 'applied', applied: [5.99], returned: 4 }]);
    await report({ name, kind: { refundedMinor: 999, whole: true } });
    expect(await stateOf(id)).toEqual(['active', 'refunded']);
    expect(await payments()).toEqual([{ status: 'refunded', applied: [], returned: 9.99 }]);
    expect((await merchant.read(id)).timeline.map(({ event }) => event)).toEqual([
      'start',
      'payment',
      'payment_refunded',
      'payment_refunded',
    ]);
  });

  test('is found by no id before it changes; then it is returned by no one, because it has paid its invoice', async () => {
    const { merchant, report, payments, stateOf } = await upgraded(fixture);
    const path = (id: string) => `/api/v1/payments/${id}`;
    for (const id of [`pi_${name}`, paymentIdOf(fixture.held.tenants.stripe._id, 'stripe', `pi_${name}`)]) {
      const answers = [
        await merchant.call('GET', path(id)),
        await merchant.call('POST', `${path(id)}/return`, { reason: 'Asked for it' }),
        await merchant.call('POST', `${path(id)}/apply`, {
          subscriptionId: released.held.subscriptions.billed.id,
        }),
      ];
      expect([id, ...answers.map(({ status }) => status)]).toEqual([id, 404, 404, 404]);
    }
    await report({ name, kind: { refundedMinor: 400, whole: false } });
    const [known] = ok(await merchant.call('GET', '/api/v1/payments')).payments;
    const { status, body } = await merchant.call('POST', `${path(known._id)}/return`);
    expect([status, body.error]).toEqual([409, 'invalid_transition']);
    expect(await stateOf(id)).toEqual(['active', 'paid']);
    expect(await payments()).toEqual([{ status: 'applied', applied: [5.99], returned: 4 }]);
  });

  test('is reported again: nothing changes, and it pays nothing twice', async () => {
    const { merchant, report, stateOf } = await upgraded(fixture);
    const { invoices } = await merchant.read(id);
    await report({ name, invoiceId: invoices[0]?._id ?? '', kind: 'unpaid' });
    await report({ name, invoiceId: invoices[0]?._id ?? '', kind: 'paid' });
    expect(await stateOf(id)).toEqual(['active', 'paid']);
    expect((await merchant.read(id)).timeline).toHaveLength(2);
  });
});

describe('a payment that the code of 22 November 2026 recorded', () => {
  const { payments: held } = deployed.held;

  test('as disputed is reinstated when the dispute is won', async () => {
    const { report, payments, stateOf } = await upgraded(deployed);
    expect(await stateOf(held.disputed.id)).toEqual(['past_due', 'open']);
    await report({ name: 'disputed', kind: 'won' });
    expect(await stateOf(held.disputed.id)).toEqual(['active', 'paid']);
    expect(await payments()).toEqual([{ status: 'applied', applied: [9.99], returned: 0 }]);
  });

  test('as disputed ends in dunning when the dispute is lost, and the invoice can be paid otherwise before', async () => {
    const { stack: running, merchant, report, stateOf } = await upgraded(deployed);
    await report({ name: 'disputed', kind: 'lost' });
    const { body } = await merchant.call('POST', `/subscriptions/${held.disputed.id}/activate`);
    expect(body.subscription.status).toBe('active');
    expect(await stateOf(held.refunded.id)).toEqual(['past_due', 'open']);
    await running.clockBy(22 * dayS);
    expect(await stateOf(held.refunded.id)).toEqual(['expired', 'uncollectible']);
  });

  test('as applied to no invoice is returned when it is refunded', async () => {
    const { report, payments, stateOf } = await upgraded(deployed);
    await report({ name: 'again', kind: { refundedMinor: 999, whole: true } });
    expect(await stateOf(held.twice.id)).toEqual(['active', 'paid']);
    expect(await payments()).toEqual([{ status: 'returned', applied: [], returned: 9.99 }]);
  });

  test('only as disputed, because it was not reported yet, is disputed when it is', async () => {
    const { report, payments, stateOf } = await upgraded(deployed);
    await report({ name: 'early', invoiceId: held.early.invoiceId, kind: 'paid' });
    expect(await payments()).toEqual([{ status: 'disputed', applied: [], returned: 9.99 }]);
    expect((await stateOf(held.early.id))[1]).toBe('open');
    await report({ name: 'early', kind: 'won' });
    expect(await stateOf(held.early.id)).toEqual(['active', 'paid']);
  });
});

/** A plan of the application without a gateway. */
async function newPlan(running: StackAt, { held }: Fixture, fields: object): Promise<string> {
  const plan = { name: 'Studio', price: 30, currency: 'EUR', billingCycle: 'monthly', ...fields };
  const path = `/api/operator/applications/${held.tenants.offline._id}/plans`;
  return ok(await running.sendJson('POST', path, plan, bearer(held.operatorKey))).plan._id;
}

describe.each([
  ['release 0.1.0', released],
  ['the code of 22 November 2026', deployed],
])('a subscription that %s stored', (_, fixture) => {
  const { subscriptions } = fixture.held;
  test('changes to a dearer plan and to more seats at once: the rest of the term that it does not record is credited', async () => {
    const { stack: running, seller, command } = await upgraded(fixture);
    const planId = await newPlan(running, fixture, { quantity: { min: 1, max: 10 } });
    const { id } = { id: subscriptions.active };
    const change = { planId, quantity: 2 };
    const { preview } = await command(id, '/change/preview', change);
    const lines = preview.lines.map(({ amount }: { amount: number }) => amount);
    expect(preview).toMatchObject({ effect: 'now', quantity: 2 });
    // What is left of a month of 9.99, and of one of two seats for 30.00.
    expect(lines[0]).toBeLessThan(-9);
    expect(lines[0]).toBeGreaterThanOrEqual(-9.99);
    expect(lines[1] / lines[0]).toBeCloseTo(-60 / 9.99, 1);
    const { change: changed } = await command(id, '/change', { ...change, quotedAt: preview.quotedAt });
    expect(changed).toEqual(preview);
    const { status, quantity, invoices } = await seller.read(id);
    expect([status, quantity, invoices.at(-1)?.total]).toEqual(['active', 2, preview.total]);
    await command(id, '/activate');
    expect((await seller.read(id)).invoices.map((invoice) => invoice.status)).toEqual(['paid', 'paid']);
  });

  test('changes to a cheaper plan at once: its old invoice is credited, and the next one uses the credit', async () => {
    const { stack: running, seller, command } = await upgraded(fixture);
    const planId = await newPlan(running, fixture, { name: 'Small', price: 5 });
    const { active: id } = subscriptions;
    const before = await seller.read(id);
    const { change } = await command(id, '/change', { planId, when: 'now' });
    // What is left of a month of 9.99, and of one of 5.00: the months have begun minutes ago.
    const credit = -change.total;
    expect(credit).toBeGreaterThan(4.9);
    expect(credit).toBeLessThanOrEqual(4.99);
    const after = await seller.read(id);
    expect([after.status, after.endDate, after.planId]).toMatchObject([
      'active',
      before.endDate,
      { _id: planId },
    ]);
    expect(after.invoices).toEqual(before.invoices);
    expect(after.creditNotes).toMatchObject([
      {
        invoiceId: before.invoices[0]?._id,
        invoice: before.invoices[0]?.number,
        reason: 'plan_change',
        total: credit,
      },
    ]);
    await running.clockTo(new Date(Date.parse(before.endDate ?? '') - dayS * 1_000).toISOString());
    const renewal = (await seller.read(id)).invoices.at(-1);
    expect([renewal?.status, renewal?.total]).toEqual(['open', 5]);
    expect(renewal?.amountDue).toBeCloseTo(5 - credit, 2);
  });

  test('is in no list until it changes or the operator lists it, and then once', async () => {
    const { stack: running, seller, command } = await upgraded(fixture);
    const listed = async (path: string, name: string): Promise<{ _id: string }[]> =>
      ok(await seller.call('GET', `/api/v1/${path}?limit=100`))[name];
    expect(await listed('subscriptions', 'subscriptions')).toEqual([]);
    await command(subscriptions.active, '', { atPeriodEnd: true });
    const after = await listed('subscriptions', 'subscriptions');
    expect(after.map(({ _id }) => _id)).toEqual([subscriptions.active]);
    const { backfill } = await import('../../../lib/operator/lists.ts');
    await backfill({ table: running.tableName }, process.env, () => undefined);
    const ids = (await listed('subscriptions', 'subscriptions')).map(({ _id }) => _id);
    expect(new Set(ids).size).toBe(ids.length);
    const { active, trialing, pending, paused, ending, cancelled, pastDue } = subscriptions;
    expect(ids).toEqual(
      expect.arrayContaining([active, trialing, pending, paused, ending, cancelled, pastDue]),
    );
    expect((await listed('invoices', 'invoices')).length).toBeGreaterThanOrEqual(5);
    expect((await listed('clients', 'clients')).length).toBeGreaterThanOrEqual(7);
    const overdue = ok(await seller.call('GET', '/api/v1/invoices?overdue=true')).invoices;
    const open = (await seller.read(pastDue)).invoices.at(-1)?._id;
    expect(overdue.map(({ _id }: { _id: string }) => _id)).toContain(open);
  });
});

describe('a subscription that release 0.1.0 stored', () => {
  const { subscriptions } = released.held;

  test('is renewed, paid late, given days, and changes to a cheaper plan at the end of its term', async () => {
    const { stack: running, seller, command } = await upgraded(released);
    const { active: id } = subscriptions;
    const { endDate: firstEnd = '' } = await seller.read(id);
    await running.clockTo(new Date(Date.parse(firstEnd) + 20 * dayS * 1_000).toISOString());
    const overdue = await seller.read(id);
    expect([overdue.status, overdue.access]).toEqual(['past_due', 'restricted']);
    await command(id, '/activate', { paymentId: 'late', amount: 9.99, currency: 'EUR' });
    const { status, endDate = '' } = await seller.read(id);
    expect(status).toBe('active');
    const days = (Date.parse(endDate) - Date.parse(firstEnd)) / (dayS * 1_000);
    expect([28, 29, 30, 31]).toContain(days);
    const longer = new Date(Date.parse(endDate) + 10 * dayS * 1_000).toISOString();
    ok(
      await seller.call('PATCH', `/api/v1/subscriptions/${id}`, {
        endDate: longer,
        reason: 'Apology for an outage',
      }),
    );
    const planId = await newPlan(running, released, { name: 'Small', price: 5 });
    expect((await command(id, '/change', { planId })).change.effect).toBe('period_end');
    expect((await seller.read(id)).endDate).toBe(longer);
    await running.clockTo(new Date(Date.parse(longer) - 3 * dayS * 1_000).toISOString());
    await command(id, '/activate');
    await running.clockTo(new Date(Date.parse(longer) + dayS * 1_000).toISOString());
    const renewed = await seller.read(id);
    expect([renewed.status, renewed.invoices.at(-1)?.total]).toEqual(['active', 5]);
    expect(renewed.planId).toMatchObject({ _id: planId, name: 'Small' });
  });

  test('is resumed, keeps the time of its pause, and is paused again', async () => {
    const { stack: running, seller, command } = await upgraded(released);
    const { paused: id } = subscriptions;
    const { endDate: before = '' } = await seller.read(id);
    await running.clockBy(5 * dayS);
    await command(id, '/resume');
    const { endDate = '' } = await seller.read(id);
    expect(Date.parse(endDate)).toBeGreaterThanOrEqual(Date.parse(before) + 5 * dayS * 1_000);
    await command(id, '/pause');
    await running.clockBy(5 * dayS);
    await command(id, '/resume');
    const again = (await seller.read(id)).endDate ?? '';
    expect(Math.round((Date.parse(again) - Date.parse(endDate)) / 1_000 / dayS)).toBe(5);
  });

  test('that has ended unpaid revives when its payment comes late, and a payment in excess is credit of the client', async () => {
    const { stack: running, seller, command } = await upgraded(released);
    const { pending: id } = subscriptions;
    await running.clockBy(23 * dayS);
    expect((await seller.read(id)).status).toBe('expired');
    const { payment } = ok(
      await seller.call('POST', '/api/v1/payments', {
        subscriptionId: id,
        amount: 15,
        currency: 'EUR',
        paymentId: 'late-and-too-much',
      }),
    );
    expect(payment).toMatchObject({ status: 'applied', credited: 5.01 });
    const { status, invoices } = await seller.read(id);
    expect([status, invoices.map((invoice) => invoice.status)]).toEqual(['active', ['paid']]);
    await running.clockBy(25 * dayS);
    expect((await seller.read(id)).invoices.at(-1)).toMatchObject({
      status: 'open',
      total: 9.99,
      amountDue: 4.98,
    });
    await command(id, '/activate');
    expect((await seller.read(id)).status).toBe('active');
  });
});

describe('what the generator of fixtures writes of money', () => {
  test('is read after it was stored and loaded: seats, a planned change, a credit note, credit, and payments in every state', async () => {
    const first = await startWith({ ...released, items: [], executions: [] });
    stack = first;
    const operator = newOperatorKey(await first.now(), 'Olga Operator');
    await storeOperatorKey(operator, first.tableName);
    const tenants = await createTenants(first, operator.secret);
    const books = await createBooks(first, operator.secret, tenants);
    const items = await dumpTable(first.tableName);
    const recordedAt = new Date(await first.now()).toISOString();
    const executions = await first.stop();
    stack = await startWith({ recordedAt, items, executions });
    const seller = stack.known(books._id, books.apiKey);
    const states = ok(await seller.call('GET', '/api/v1/payments')).payments.map(
      ({ status }: { status: string }) => status,
    );
    expect(new Set(states)).toEqual(new Set(['applied', 'partial', 'credit', 'unapplied', 'returned']));
    const due = (await seller.read(books.open)).invoices[0];
    expect([due?.status, due?.total, due?.amountDue]).toEqual(['open', 60, 50]);
    expect((await seller.read(books.planned)).plannedChange).toMatchObject({ quantity: 3 });
    const { endDate = '' } = await seller.read(books.planned);
    await stack.clockTo(new Date(Date.parse(endDate) + dayS * 1_000).toISOString());
    // The credit of the client has paid the first term of the planned plan.
    const renewed = await seller.read(books.planned);
    expect([renewed.status, renewed.invoices.at(-1)?.total, renewed.invoices.at(-1)?.status]).toEqual([
      'active',
      15,
      'paid',
    ]);
    const numbers = ok(await seller.call('GET', '/api/v1/invoices')).invoices.map(
      ({ number }: { number: string }) => number,
    );
    expect(new Set(numbers).size).toBe(numbers.length);
  });
});
