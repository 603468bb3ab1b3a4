/** Late payments that revive a subscription whose term has moved: a document never states a term that was not. */
import { randomUUID } from 'node:crypto';
import { creditNoteStore } from '../../../../../functions/invoices/credit-note-store.ts';
import { dayMs } from '../../../../../functions/shared/runtime/clock.ts';
import {
  call,
  daysLater,
  germanSeller,
  germanTax,
  good,
  leaveOutPdfs,
  newSeller,
  noonMs,
  onTestClock,
  type Tenant,
} from '../../../../support/call.ts';
import { datev } from '../../../../support/journal/datev.ts';
import { balancesOf, complaintOf, hasHledger } from '../../../../support/journal/hledger.ts';
import { journalPages } from '../../../../support/journal/pages.ts';
import { transfer } from '../../../../support/payments/payments.ts';
import { stepsUntil } from '../../../../support/subscriptions/courses.ts';
import { expectSound, type One, stored } from '../../../../support/subscriptions/stored-state.ts';

onTestClock();
leaveOutPdfs();

const taxing = { seller: germanSeller, tax: germanTax };

/** A renewal of 119.00, from 10 April to 10 May, that is uncollectible since the 1st of May. */
async function givenUp(settings: object = taxing, price = 119): Promise<One> {
  const seller = await newSeller('none', { ...settings });
  const one = { seller, ...(await seller.subscribedTo({ price })) };
  await transfer(seller, one.id, 11_900);
  await stepsUntil(one, noonMs + 53 * dayMs);
  expect((await stored(one)).invoices).toMatchObject([{ status: 'paid' }, { status: 'uncollectible' }]);
  return one;
}

/** A credit note of 40.00. */
async function creditPart({ seller }: One, invoiceId = ''): Promise<void> {
  const body = { amount: 40, reason: 'The service was down.' };
  good(await call('subscriptions.credit-invoice', seller.callFor(invoiceId, body)));
}

const pageOf = async ({ seller }: One, invoiceId = '') =>
  (
    await call('invoices.read', {
      headers: { ...seller.headers, accept: 'text/html' },
      params: { id: invoiceId },
    })
  ).text;

/** The balance of the account of the client in the batches of DATEV. */
async function datevSum(seller: Tenant, query: Record<string, string>): Promise<number> {
  const batches = await journalPages(seller, { format: 'datev', ...query });
  const rows = batches.flatMap((batch) => batch.split('\r\n').map((line) => line.split(';')));
  const minors = rows.map(([amount = '', side, , , , , account, other]) => {
    const minor = Math.round(Number(amount.replace(',', '.')) * 100);
    const sign = side === '"S"' ? 1 : -1;
    if (account === '10000') return sign * minor;
    return other === '10000' ? -sign * minor : 0;
  });
  return minors.reduce((sum, minor) => sum + minor, 0);
}

test('an uncollectible renewal whose term moved is cancelled, and issued anew with the term that is granted', async () => {
  const one = await givenUp();
  daysLater(5);
  const sourceId = randomUUID();
  await transfer(one.seller, one.id, 11_900, { sourceId });
  await transfer(one.seller, one.id, 11_900, { sourceId });
  const { subscription, invoices } = await stored(one);
  const creditNotes = await creditNoteStore.latest(one.id);
  expect(subscription).toMatchObject({ status: 'active', invoiceCount: 3 });
  const { termStartMs, termEndMs } = subscription;
  const [, former, again] = invoices;
  expect(former).toMatchObject({ status: 'void', settled: { cancelledMinor: 11_900 } });
  expect(former?.datesAtIssue).toBeUndefined();
  expect(again).toMatchObject({ status: 'paid', periodStartMs: termStartMs, periodEndMs: termEndMs });
  expect(again?.datesAtIssue).toBeUndefined();
  expect(again?.periodStartMs).not.toBe(former?.periodStartMs);
  expect(creditNotes).toMatchObject([{ reason: 'cancellation', invoiceN: 2, taxes: [{ taxMinor: 1_900 }] }]);
  expect(await pageOf(one, again?.invoiceId)).toContain('30 April 2027');
  expect(await pageOf(one, again?.invoiceId)).not.toContain('10 April 2027');
  const mails = (await stored(one)).outbox.filter((entry) => entry.kind === 'mail');
  expect(mails).toContainEqual(
    expect.objectContaining({ template: 'activated', invoiceN: 3, creditNoteNs: [1] }),
  );
  await expectSound(one.seller, one.externalId);
});

test('a payment that the seller books to the uncollectible invoice pays the new one', async () => {
  const one = await givenUp();
  daysLater(5);
  const other = { seller: one.seller, ...(await one.seller.subscribedTo({ price: 119 })) };
  const { payment } = await transfer(one.seller, other.id, 11_900);
  const { invoices: before } = await stored(one);
  const body = {
    invoices: [{ invoiceId: before[1]?.invoiceId, amount: 119 }],
    reason: 'The wrong reference.',
  };
  good(await call('payments.reallocate', one.seller.callFor(payment.paymentId, body)));
  const { subscription, invoices } = await stored(one);
  expect(subscription.status).toBe('active');
  expect(invoices.map(({ status }) => status)).toEqual(['paid', 'void', 'paid']);
});

test('one without tax is void without a document, and issued anew', async () => {
  const one = await givenUp({});
  daysLater(5);
  await transfer(one.seller, one.id, 11_900);
  const { invoices } = await stored(one);
  const creditNotes = await creditNoteStore.latest(one.id);
  expect(invoices.map(({ status }) => status)).toEqual(['paid', 'void', 'paid']);
  expect(creditNotes).toEqual([]);
  await expectSound(one.seller, one.externalId);
});

test.each([
  ['inclusive', 119, 4_000],
  ['exclusive', 100, 3_361],
])(
  'one of which a credit note credited a part is issued anew for what is left, with its tax (prices are %s)',
  async (pricesInclude, price, reducedMinor) => {
    const one = await givenUp({ ...taxing, datev, tax: { ...germanTax, pricesInclude } }, price);
    await creditPart(one, (await stored(one)).invoices[1]?.invoiceId);
    daysLater(5);
    await transfer(one.seller, one.id, 7_900);
    const { subscription, invoices } = await stored(one);
    expect(subscription).toMatchObject({ status: 'active', invoiceCount: 3 });
    expect(subscription.charges.at(-1)).toMatchObject({
      n: 3,
      amountMinor: Math.round((price * 7_900) / 119),
    });
    const [, former, again] = invoices;
    expect(former).toMatchObject({
      status: 'void',
      settled: { creditNotedMinor: 4_000, cancelledMinor: 7_900 },
    });
    expect(again).toMatchObject({
      status: 'paid',
      totalMinor: 7_900,
      taxes: [{ taxableMinor: 6_639, taxMinor: 1_261 }],
      settled: { paidMinor: 7_900 },
      lines: [
        { amountMinor: price * 100 },
        { description: `Credited of invoice ${former?.number}`, amountMinor: -reducedMinor },
      ],
      periodStartMs: subscription.termStartMs,
    });
    expect(await creditNoteStore.latest(one.id)).toMatchObject([
      { reason: 'correction', invoiceN: 2, totalMinor: 4_000, taxes: [{ taxMinor: 639 }] },
      { reason: 'cancellation', invoiceN: 2, totalMinor: 7_900, taxes: [{ taxMinor: 1_261 }] },
    ]);
    expect(await pageOf(one, again?.invoiceId)).toContain(`Credited of invoice ${former?.number}`);
    await expectSound(one.seller, one.externalId);
    // A period ends before its last millisecond does.
    daysLater(1);
    const query = { from: '2027-01-01', to: '2027-12-31' };
    const headers = one.seller.headers;
    const { report } = good(await call('reports.tax-read', { headers, query: { from: query.from } }));
    expect(report.rows).toMatchObject([{ badDebt: false, net: 166.39, tax: 31.61, gross: 198 }]);
    expect(await datevSum(one.seller, query)).toBe(0);
    if (!hasHledger) return;
    const journal = (await journalPages(one.seller, { format: 'hledger' })).join('\n');
    expect([complaintOf(journal), balancesOf(journal)]).toEqual([
      '',
      {
        'assets:bank EUR': '198.00',
        'income:revenue EUR': '-166.39',
        'liabilities:tax:DE 19% EUR': '-31.61',
      },
    ]);
  },
);

test('a void invoice with tax of which a part was credited is issued again for what is left', async () => {
  const seller = await newSeller('none', { ...taxing });
  const one = { seller, ...(await seller.subscribedTo({ price: 119 })) };
  await creditPart(one, (await stored(one)).invoices[0]?.invoiceId);
  await stepsUntil(one, noonMs + 25 * dayMs);
  expect(await stored(one)).toMatchObject({
    subscription: { status: 'expired' },
    invoices: [{ status: 'void', settled: { creditNotedMinor: 4_000, cancelledMinor: 7_900 } }],
  });
  await transfer(seller, one.id, 7_900);
  const { subscription, invoices } = await stored(one);
  expect(subscription.status).toBe('active');
  expect(invoices).toMatchObject([
    { status: 'void' },
    { status: 'paid', totalMinor: 7_900, taxes: [{ taxMinor: 1_261 }] },
  ]);
  await expectSound(one.seller, one.externalId);
});
