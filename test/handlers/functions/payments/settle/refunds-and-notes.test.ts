import { daysLater, good, newSeller, onTestClock, type Tenant } from '../../../../support/call.ts';
import { refund, reportOf, settlement } from '../../../../support/payments/payments.ts';
import * as state from '../../../../support/subscriptions/stored-state.ts';

onTestClock();

/** A subscription of 31 days at 31.00 EUR, paid at the gateway: one EUR a day. */
async function paid() {
  const seller = await newSeller('sandbox');
  const [externalId, planId, cheaper] = await Promise.all([
    seller.newClient(),
    seller.newPlan({ price: 31 }),
    seller.newPlan({ name: 'Cheaper', price: 15.5 }),
  ]);
  const { subscription } = good(await seller.subscribe({ body: { externalId, planId } }));
  const report = await reportOf(seller, externalId);
  expect(await settlement.recordPayment(report)).toBe('applied');
  return { seller, externalId, id: subscription._id as string, report, cheaper };
}
type Paid = Awaited<ReturnType<typeof paid>>;

const downgrade = async ({ seller, id, cheaper }: Pick<Paid, 'seller' | 'id' | 'cheaper'>) =>
  good(await seller.act('change', id, { planId: cheaper, when: 'now' }));

/** The amounts that credit notes credited of the first invoice, oldest first. */
async function notesOf({ seller, externalId }: { seller: Tenant; externalId: string }) {
  const items = await state.itemsOf(seller, externalId);
  return items
    .filter(({ sk, invoiceN }) => sk.startsWith('CREDITNOTE#') && invoiceN === 1)
    .toSorted((a, b) => Number(a.n) - Number(b.n))
    .map(({ reason, totalMinor }) => `${reason} ${totalMinor}`);
}
const firstInvoice = async ({ seller, externalId }: Paid) =>
  (await state.storedSubscription(seller, externalId)).invoices[0];

describe('after a downgrade at once, whose credit note is credit of the client', () => {
  const downgraded = async () => {
    const one = await paid();
    daysLater(11);
    await downgrade(one);
    expect(await notesOf(one)).toEqual(['plan_change 1000']);
    expect(await state.creditOf(one)).toBe(1000);
    return one;
  };

  test('a full refund takes the credit back: nobody has both', async () => {
    const one = await downgraded();
    await refund(one.report);
    expect(await notesOf(one)).toEqual(['plan_change 1000', 'refund 2100']);
    expect(await state.creditOf(one)).toBe(0);
    expect(await firstInvoice(one)).toMatchObject({
      status: 'refunded',
      settled: { creditNotedMinor: 3100 },
    });
    await state.expectSound(one.seller, one.externalId);
  });
});

test.each([
  // The rest of the term is worth less than what is left of the charge.
  { refunded: 1000, notes: ['refund 1000', 'plan_change 1000'] },
  // 5.00 are left of the charge, and 10.00 are charged for the rest at the cheaper price.
  { refunded: 2600, notes: ['refund 2600'] },
])(
  'a downgrade after a partial refund of $refunded credits no more than is left',
  async ({ refunded, notes }) => {
    const one = await paid();
    daysLater(11);
    await refund(one.report, refunded);
    await downgrade(one);
    expect(await notesOf(one)).toEqual(notes);
    await state.expectSound(one.seller, one.externalId);
  },
);
