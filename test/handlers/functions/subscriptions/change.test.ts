import { dueMinor } from '../../../../functions/invoices/due.ts';
import { dayMs } from '../../../../functions/shared/runtime/clock.ts';
import {
  call,
  daysLater,
  good,
  leaveOutPdfs,
  newSeller,
  noonMs,
  onTestClock,
  step,
  type Tenant,
} from '../../../support/call.ts';
import { liveUntil } from '../../../support/subscriptions/courses.ts';
import { expectSound, storedSubscription } from '../../../support/subscriptions/stored-state.ts';

onTestClock();
leaveOutPdfs();

const at = (days: number) => new Date(noonMs + days * dayMs).toISOString();

/** A paid subscription of 31 days, at 31.00 EUR: one EUR a day. */
async function sold(plan: object = {}, body: object = {}) {
  const seller = await newSeller();
  const [externalId, planId] = await Promise.all([
    seller.newClient(),
    seller.newPlan({ price: 31, ...plan }),
  ]);
  const id = await seller.subscribedByTransfer({ externalId, planId, ...body });
  return { seller, id, externalId, planId };
}
type Sold = Omit<Awaited<ReturnType<typeof sold>>, 'seller'>;

const stored = (seller: Tenant, { externalId }: Sold) => storedSubscription(seller, externalId);
const takeSteps = async (seller: Tenant, one: Sold, untilDay: number) =>
  liveUntil(
    noonMs + untilDay * dayMs,
    async () => (await stored(seller, one)).subscription,
    (seen) => step(seen),
  );

test('an upgrade with the same billing cycle credits the rest of the term, charges it at the new price, and keeps the term', async () => {
  const { seller, ...one } = await sold();
  const planId = await seller.newPlan({ name: 'Team', price: 62 });
  daysLater(10);
  const { change, subscription } = good(await seller.act('change', one.id, { planId }));
  expect(change).toEqual({
    effect: 'now',
    quotedAt: at(10),
    effectiveAt: at(10),
    planId,
    currency: 'EUR',
    lines: [
      { description: 'Unused time: Pro', quantity: 1, amount: -21 },
      { description: 'Remaining time: Team', quantity: 1, amount: 42 },
    ],
    total: 21,
    amountDue: 21,
    creditChange: 0,
    dueAt: at(17),
    endDate: at(31),
  });
  expect(subscription).toMatchObject({ planId, endDate: at(31), status: 'active' });
  const { invoices } = await stored(seller, one);
  expect(invoices[1]).toMatchObject({
    status: 'open',
    totalMinor: 2_100,
    dueAtMs: noonMs + 17 * dayMs,
    periodStartMs: noonMs + 10 * dayMs,
    periodEndMs: noonMs + 31 * dayMs,
  });
  await expectSound(seller, one.externalId);
});

test('a downgrade applies at the end of the term by default: the renewal invoice is of the new plan', async () => {
  const { seller, ...one } = await sold({ price: 62 });
  const planId = await seller.newPlan({ name: 'Basic', price: 31 });
  const { change, subscription } = good(await seller.act('change', one.id, { planId }));
  expect(change).toMatchObject({ effect: 'period_end', effectiveAt: at(31), lines: [], total: 0 });
  expect(subscription).toMatchObject({
    planId: one.planId,
    plannedChange: { planId, effectiveAt: at(31) },
  });
  await takeSteps(seller, one, 25);
  const { invoices } = await stored(seller, one);
  expect(invoices[1]).toMatchObject({ status: 'open', totalMinor: 3_100, plan: { planId } });
  good(await seller.act('activate', one.id));
  const paid = good(await seller.current(one.externalId)).subscription;
  expect(paid).toMatchObject({ planId: { _id: one.planId }, endDate: at(61) });
  expect(paid).not.toHaveProperty('plannedChange');
  expect((await stored(seller, one)).subscription.timer).toEqual({
    step: 'planned_change',
    dueAtMs: noonMs + 31 * dayMs,
  });
  await takeSteps(seller, one, 31);
  expect(good(await seller.current(one.externalId)).subscription.planId._id).toBe(planId);
  await expectSound(seller, one.externalId);
});

test('a change that is planned and paid in one term counts as expansion in the next one, in which it applies', async () => {
  const { seller, ...one } = await sold();
  const planId = await seller.newPlan({ name: 'Team', price: 62 });
  good(await seller.act('change', one.id, { planId, when: 'period_end' }));
  await takeSteps(seller, one, 25);
  good(await seller.act('activate', one.id, { amount: 62 }));
  await takeSteps(seller, one, 32);
  const expansion = async (from: number, to: number) => {
    const query = { from: at(from), to: at(to) };
    const { report } = good(await call('reports.revenue-read', { headers: seller.headers, query }));
    return report.currencies[0].recurring.expansion;
  };
  expect([await expansion(0, 31), await expansion(31, 32)]).toEqual([0, 31]);
});

describe('a quantity', () => {
  const seats = { price: 10, quantity: { min: 2, max: 20 } };

  test('is the least that the plan sells by default, multiplies the price, and is shown', async () => {
    const { seller, ...one } = await sold(seats);
    const { subscription } = good(await seller.details(one.id));
    expect(subscription).toMatchObject({ quantity: 2, planId: { price: 10 } });
    expect(subscription.invoices[0]).toMatchObject({ total: 20, lines: [{ quantity: 2, amount: 20 }] });
  });

  test.each([
    [seats, 1, 'must be from 2 to 20'],
    [seats, 21, 'must be from 2 to 20'],
    [{ price: 10 }, 2, 'must be 1: the plan sells no other quantity'],
  ])('of %j that is %i is refused', async (plan, quantity, problem) => {
    const seller = await newSeller();
    const planId = await seller.newPlan(plan);
    const response = await seller.subscribe({ body: { planId, quantity } });
    expect([response.status, response.body.details]).toEqual([400, { quantity: problem }]);
  });

  test('can be changed within the plan', async () => {
    const { seller, ...one } = await sold({ price: 31, quantity: { min: 1, max: 20 } }, { quantity: 2 });
    daysLater(10);
    const { change, subscription } = good(
      await seller.act('change', one.id, { planId: one.planId, quantity: 5 }),
    );
    expect(change).toMatchObject({
      quantity: 5,
      lines: [
        { description: 'Unused time: Pro', quantity: 2, amount: -42 },
        { description: 'Remaining time: Pro', quantity: 5, amount: 105 },
      ],
      total: 63,
    });
    expect(subscription.quantity).toBe(5);
  });
});

describe('a change is refused', () => {
  test('to another currency, to a plan that is not sold, and to one of another application', async () => {
    const [{ seller, ...one }, other] = await Promise.all([sold(), newSeller()]);
    const plans = await Promise.all([
      seller.newPlan({ currency: 'USD' }),
      seller.newPlan({ isActive: false }),
      other.newPlan(),
    ]);
    const answers = await Promise.all(plans.map((planId) => seller.act('change', one.id, { planId })));
    expect(answers.map(({ status, body }) => [status, body.details])).toEqual([
      [409, { planId: 'is in USD, and the subscription in EUR: a subscription keeps its currency' }],
      [409, { planId: 'is not sold any more' }],
      [404, { planId: 'is no plan of yours' }],
    ]);
  });

  test('at the end of a term that does not renew', async () => {
    const { seller, ...one } = await sold();
    good(await seller.act('cancel', one.id, { atPeriodEnd: true }));
    const planId = await seller.newPlan({ price: 5 });
    const response = await seller.act('change', one.id, { planId });
    expect([response.status, response.body.details]).toEqual([
      409,
      { status: 'active', cancelAtPeriodEnd: true },
    ]);
  });

  test('when ten changes of the term are not paid, so that the end of the subscription fits in a transaction', async () => {
    const { seller, ...one } = await sold({ quantity: { min: 1, max: 100 } });
    for (let quantity = 2; quantity <= 11; quantity += 1)
      good(await seller.act('change', one.id, { planId: one.planId, quantity }));
    const response = await seller.act('change', one.id, { planId: one.planId, quantity: 12 });
    expect([response.status, response.body.details]).toEqual([
      409,
      { planId: 'was changed too often in this term' },
    ]);
    good(await seller.act('cancel', one.id));
    await expectSound(seller, one.externalId);
  });
});

test('a repeated request for the plan that the subscription has changes nothing', async () => {
  const { seller, ...one } = await sold();
  const planId = await seller.newPlan({ price: 62 });
  good(await seller.act('change', one.id, { planId }));
  const before = await stored(seller, one);
  const { change } = good(await seller.act('change', one.id, { planId }));
  expect(change).toMatchObject({ effect: 'none', total: 0, lines: [] });
  expect(await stored(seller, one)).toEqual(before);
});

const previewed = [
  { change: 'a dearer plan', plan: { price: 62 }, when: 'now' },
  { change: 'a cheaper plan at once', plan: { price: 15.5 }, when: 'now' },
  { change: 'a cheaper plan at the end', plan: { price: 15.5 }, when: 'period_end' },
  { change: 'a yearly plan', plan: { price: 500, billingCycle: 'annual' }, when: 'now' },
];

test.each(previewed)(
  'a preview says what the change then does while the step of the renewal is late, and writes nothing: $change',
  async ({ plan, when }) => {
    const { seller, ...one } = await sold();
    const planId = await seller.newPlan(plan);
    daysLater(30.9);
    const before = await stored(seller, one);
    const { preview } = good(await seller.act('change-preview', one.id, { planId, when }));
    expect(await stored(seller, one)).toEqual(before);
    const { quotedAt } = preview;
    const changed = await seller.act('change', one.id, { planId, when, quotedAt });
    expect(good(changed).change).toEqual(preview);
    const { subscription, invoices } = await stored(seller, one);
    expect(new Date(subscription.termEndMs ?? 0).toISOString()).toBe(preview.endDate);
    const open = invoices.filter(({ issuedAtMs, status }) => issuedAtMs === Date.now() && status === 'open');
    expect(open.reduce((sum, invoice) => sum + dueMinor(invoice), 0)).toBe(
      Math.round(preview.amountDue * 100),
    );
    const [dueAt] = open.map(({ dueAtMs }) => new Date(dueAtMs).toISOString()).toSorted();
    expect(preview.dueAt).toBe(dueAt);
    await expectSound(seller, one.externalId);
  },
);

describe('a quote', () => {
  test.each([
    [-3_600_000, 400],
    [-3_599_999, 200],
    [1, 400],
  ])('that is %i ms from now is answered with %i', async (fromNowMs, status) => {
    const { seller, ...one } = await sold();
    daysLater(1);
    const quotedAt = new Date(Date.now() + fromNowMs).toISOString();
    const response = await seller.act('change', one.id, {
      planId: await seller.newPlan({ price: 62 }),
      quotedAt,
    });
    expect(response.status).toBe(status);
  });

  test('from before another change is a conflict', async () => {
    const { seller, ...one } = await sold();
    const quotedAt = new Date().toISOString();
    vi.setSystemTime(noonMs + 1_000);
    good(await seller.act('cancel', one.id, { atPeriodEnd: true }));
    const response = await seller.act('change', one.id, {
      planId: await seller.newPlan({ price: 62 }),
      quotedAt,
    });
    expect([response.status, response.body.error]).toEqual([409, 'conflict']);
  });
});
