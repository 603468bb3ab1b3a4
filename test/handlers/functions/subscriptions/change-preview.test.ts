import { dueMinor } from '../../../../functions/invoices/due.ts';
import { dayMs } from '../../../../functions/shared/runtime/clock.ts';
import {
  daysLater,
  good,
  leaveOutPdfs,
  newSeller,
  noonMs,
  onTestClock,
  step,
} from '../../../support/call.ts';
import { transfer } from '../../../support/payments/payments.ts';
import { liveUntil } from '../../../support/subscriptions/courses.ts';
import { clientOf, expectSound, storedSubscription } from '../../../support/subscriptions/stored-state.ts';
import { expectLines } from '../../../support/subscriptions/walks/previews.ts';

onTestClock();
leaveOutPdfs();

interface Case {
  /** The plan of 10 EUR a week, unless stated otherwise. */
  from?: object;
  to: object;
  asked?: object;
  /** The payment beyond the price, in minor units. */
  creditMinor?: number;
  day?: number;
  settings?: Record<string, unknown>;
  /** A change that is made before. */
  pending?: object;
  shown: object;
}

const monthly = { billingCycle: 'monthly', price: 29.99 };
const none = { when: 'now', proration: 'none' };
const seats = { price: 4, quantity: { min: 1, max: 10 } };
const exclusive = { tax: { rates: [{ country: 'DE', percent: 19 }], pricesInclude: 'exclusive' } };

const cases: Readonly<Record<string, Case>> = {
  'to a dearer cycle without proration, with credit that covers a part': {
    to: monthly,
    asked: none,
    creditMinor: 2_000,
    shown: { total: 29.99, amountDue: 9.99, creditChange: -20, endDate: day(7), dueAt: day(7) },
  },
  'without proration, with credit that covers the renewal': {
    to: monthly,
    asked: none,
    creditMinor: 3_000,
    shown: { total: 29.99, amountDue: 0, creditChange: -29.99 },
  },
  'without proration and without credit': {
    to: monthly,
    asked: none,
    shown: { total: 29.99, amountDue: 29.99, creditChange: 0 },
  },
  'with proration and credit': {
    to: monthly,
    asked: { when: 'now' },
    creditMinor: 2_000,
    shown: { total: 21.42, amountDue: 1.42, creditChange: -20 },
  },
  'with tax': {
    to: monthly,
    asked: none,
    creditMinor: 2_000,
    settings: exclusive,
    shown: { total: 35.69, amountDue: 15.69, creditChange: -20 },
  },
  'of seats, shortly before the renewal': {
    from: seats,
    to: seats,
    asked: { when: 'now', quantity: 5 },
    day: 5,
    // Two of seven days of four more seats; five seats from then on.
    shown: {
      lines: [expect.anything(), expect.anything(), expect.anything()],
      total: 24.57,
      amountDue: 24.57,
    },
  },
  'to fewer seats, which credits and renews': {
    from: seats,
    to: seats,
    asked: { when: 'now', quantity: 1 },
    pending: { when: 'now', quantity: 5 },
    day: 5,
    shown: { creditChange: 0, total: -0.57 },
  },
  'planned shortly before the renewal': {
    to: { price: 5 },
    asked: { when: 'period_end' },
    day: 5,
    shown: { effect: 'period_end', effectiveAt: day(7), total: 5, amountDue: 5 },
  },
  'planned to a free plan shortly before the renewal, which grants the next term': {
    to: { price: 0 },
    asked: { when: 'period_end' },
    day: 5,
    shown: { effect: 'period_end', effectiveAt: day(7), total: 0, amountDue: 0, endDate: day(14) },
  },
  'during a trial, covered by credit at its reminder': {
    from: { trialPeriodDays: 7 },
    to: { price: 8 },
    creditMinor: 900,
    day: 6.5,
    shown: { effect: 'now', total: 8, amountDue: 0, creditChange: 1, endDate: day(14) },
  },
};

function day(days: number): string {
  return new Date(noonMs + days * dayMs).toISOString();
}

test.each(Object.entries(cases))('a preview is exact: %s', async (_, one) => {
  const { from, to, asked = {}, creditMinor = 0, settings = {}, pending, shown } = one;
  const seller = await newSeller('none', settings);
  const externalId = await seller.newClient({
    address: { line1: 'Hauptstraße 1', city: 'Berlin', country: 'DE' },
  });
  const weekly = { billingCycle: 'weekly', price: 10 };
  const planId = await seller.newPlan({ ...weekly, ...from });
  const other = 'quantity' in to ? planId : await seller.newPlan({ ...weekly, ...to });
  const { subscription } = good(await seller.subscribe({ body: { externalId, planId } }));
  const id: string = subscription._id;
  const find = async () => ({
    ...(await storedSubscription(seller, externalId)),
    credit: (await clientOf(seller, externalId))?.credit?.EUR ?? 0,
  });
  const [first] = (await find()).invoices;
  await transfer(seller, id, (first?.totalMinor ?? 0) + creditMinor);
  await liveUntil(
    noonMs + (one.day ?? 1) * dayMs,
    async () => (await find()).subscription,
    (seen) => step(seen),
  );
  if (pending !== undefined) good(await seller.act('change', id, { planId, ...pending }));
  const before = await find();
  const body = { planId: other, ...asked };
  const { preview } = good(await seller.act('change-preview', id, body));
  expect(preview).toMatchObject(shown);
  expect(await find()).toEqual(before);
  daysLater(0.01);
  const changed = good(await seller.act('change', id, { ...body, quotedAt: preview.quotedAt }));
  expect(changed.change).toEqual(preview);
  // No step that follows at once asks for more.
  await liveUntil(
    Date.now() + 60_000,
    async () => (await find()).subscription,
    (seen) => step(seen),
  );
  const after = await find();
  const known = before.invoices.map(({ n }) => n);
  const issued = after.invoices.filter(({ n }) => !known.includes(n));
  expectLines(preview, issued);
  expect((after.credit - before.credit) / 100).toBeCloseTo(preview.creditChange);
  const open = issued.filter(({ status }) => status === 'open');
  expect(open.reduce((sum, invoice) => sum + dueMinor(invoice), 0) / 100).toBeCloseTo(preview.amountDue);
  expect(new Date(after.subscription.termEndMs ?? 0).toISOString()).toBe(preview.endDate);
  const mailed = after.outbox
    .slice(before.outbox.length)
    .flatMap((entry) => (entry.kind === 'mail' ? [entry.invoiceN] : []));
  // Each further mail brings an invoice of its own.
  expect(new Set(mailed).size).toBe(mailed.length);
  await expectSound(seller, externalId);
});

test('a preview of a plan in another currency is refused, as the change is', async () => {
  const seller = await newSeller();
  const { subscription } = good(await seller.subscribe());
  const planId = await seller.newPlan({ currency: 'USD' });
  for (const what of ['change-preview', 'change'] as const) {
    const { status, body } = await seller.act(what, subscription._id, { planId });
    expect([status, body.error]).toEqual([409, 'conflict']);
  }
});
