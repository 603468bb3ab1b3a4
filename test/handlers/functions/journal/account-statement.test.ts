/** The account statement of a client, and the sums of their invoices that explain it. */
import { readAccountStatement } from '../../../../functions/journal/account-statement.ts';
import type { accountStatementRoute } from '../../../../functions/journal/routes.ts';
import type { Input } from '../../../../functions/shared/contract/route.ts';
import {
  call,
  germanSeller,
  germanTax,
  good,
  newSeller,
  onTestClock,
  type Tenant,
} from '../../../support/call.ts';
import { csvRows } from '../../../support/journal/pages.ts';
import { payOut, refund, reportOf, settlement, transfer } from '../../../support/payments/payments.ts';
import type { One } from '../../../support/subscriptions/stored-state.ts';

/** The last evening of November where the seller is; in UTC it is the 30th too. */
const november = Date.parse('2026-11-30T22:30:00Z');
/** In Berlin, it is the 1st of December. */
const december = Date.parse('2026-11-30T23:30:00Z');
onTestClock(november);

/** A subscription at 119.00 with an open invoice. */
async function owing(gateway: 'none' | 'sandbox' = 'none'): Promise<One> {
  const settings = { timeZone: 'Europe/Berlin', seller: germanSeller, tax: germanTax };
  const seller = await newSeller(gateway, settings);
  const externalId = await seller.newClient();
  return { seller, externalId, id: await subscribedAt(seller, externalId, 119) };
}

async function subscribedAt(seller: Tenant, externalId: string, price: number): Promise<string> {
  const planId = await seller.newPlan({ price });
  return good(await seller.subscribe({ body: { externalId, planId } })).subscription._id;
}

const statement = async ({ seller, externalId }: Omit<One, 'id'>, query: Record<string, string> = {}) =>
  good(await call('journal.account-statement', { headers: seller.headers, params: { externalId }, query }));

const invoicesOf = async ({ seller, externalId }: One) =>
  good(await call('invoices.list', { headers: seller.headers, query: { externalId } })).invoices;

/** A second later: each record has a time of its own. */
const tick = () => vi.setSystemTime(Date.now() + 1_000);

/** Credits an invoice, and sends the credit back. */
async function creditAndPayOut(one: One): Promise<void> {
  const { seller, id } = one;
  await transfer(seller, id, 11_900);
  const [invoice] = await invoicesOf(one);
  tick();
  good(await call('subscriptions.credit-invoice', seller.callFor(invoice._id, { reason: 'not usable' })));
  tick();
  good(await payOut(one, { amount: 119 }));
}

let one: One;
beforeEach(async () => {
  vi.setSystemTime(november);
  one = await owing();
});

const sums = ['Paid', 'Refunded', 'FromCredit', 'ToCredit', 'Credited', 'WrittenOff', 'Due'];
const sumsOf = (invoice: Record<string, unknown>) => sums.map((name) => Number(invoice[`amount${name}`]));

describe('the sums of an invoice', () => {
  test('say after a whole credit note and a pay-out that it was paid, credited, and became credit', async () => {
    await creditAndPayOut(one);
    const [invoice] = await invoicesOf(one);
    expect(invoice).toMatchObject({ status: 'paid', total: 119 });
    expect(sumsOf(invoice)).toEqual([119, 0, 0, 119, 119, 0, 0]);
    const [row = {}] = await csvRows(one.seller, 'invoices.list', {});
    expect(sumsOf(row)).toEqual(sumsOf(invoice));
    const read = good(await call('invoices.read', one.seller.callFor(invoice._id)));
    expect(sumsOf(read.invoice)).toEqual(sumsOf(invoice));
  });

  test('say what a gateway refunded beside what was paid', async () => {
    const at = await owing('sandbox');
    const report = await reportOf(at.seller, at.externalId);
    expect(await settlement.recordPayment(report)).toBe('applied');
    await refund(report, 2_380);
    expect(sumsOf((await invoicesOf(at))[0])).toEqual([119, 23.8, 0, 0, 23.8, 0, 0]);
    await refund(report, 11_900);
    const [invoice] = await invoicesOf(at);
    expect(invoice.status).toBe('refunded');
    expect(sumsOf(invoice)).toEqual([119, 119, 0, 0, 119, 0, 0]);
  });

  test('say that a void invoice is credited', async () => {
    good(await one.seller.act('cancel', one.id, {}));
    const [invoice] = await invoicesOf(one);
    expect(invoice.status).toBe('void');
    expect(sumsOf(invoice)).toEqual([0, 0, 0, 0, 119, 0, 0]);
  });
});

describe('the account statement of a client', () => {
  test('has each line with its documents and the balance after it', async () => {
    await creditAndPayOut(one);
    const { statement: account, lines } = await statement(one);
    const [{ number }] = await invoicesOf(one);
    const { creditNotes } = good(
      await call('invoices.credit-note-list', { headers: one.seller.headers, query: {} }),
    );
    const note = creditNotes[0].number;
    expect(account).toEqual({
      externalId: one.externalId,
      timeZone: 'Europe/Berlin',
      openingBalances: [],
      closingBalances: [{ currency: 'EUR', balance: 0 }],
    });
    const shown = lines.map(({ kind, documents, amount, balance }: Record<string, unknown>) => ({
      kind,
      documents,
      amount,
      balance,
    }));
    expect(shown).toEqual([
      { kind: 'invoice', documents: [number], amount: 119, balance: 119 },
      { kind: 'payment', documents: [number], amount: -119, balance: 0 },
      { kind: 'credit_note', documents: [note, number], amount: -119, balance: -119 },
      { kind: 'pay_out', documents: [], amount: 119, balance: 0 },
    ]);
    expect(lines[0]).toMatchObject({ day: '2026-11-30', subscriptionId: one.id, currency: 'EUR' });
    const rows = await csvRowsOf(one);
    expect(rows.map(({ documents, amount, balance }) => [documents, amount, balance])).toEqual([
      [number, '119.00', '119.00'],
      [number, '-119.00', '0.00'],
      [`${note} ${number}`, '-119.00', '-119.00'],
      ['', '119.00', '0.00'],
    ]);
  });

  test('has the document of a cancellation', async () => {
    good(await one.seller.act('cancel', one.id, {}));
    const { lines } = await statement(one);
    const { creditNotes } = good(
      await call('invoices.credit-note-list', { headers: one.seller.headers, query: {} }),
    );
    const cancelled = lines.at(-1);
    expect(cancelled).toMatchObject({ kind: 'cancellation', amount: -119, balance: 0 });
    expect(cancelled.documents).toEqual([creditNotes[0].number, creditNotes[0].invoice]);
  });

  test("has the days of the seller's time zone, and the balance before the first of them", async () => {
    await transfer(one.seller, one.id, 12_000);
    vi.setSystemTime(december);
    await transfer(one.seller, one.id, 500);
    const before = await statement(one, { to: '2026-11-30' });
    expect(before.lines).toHaveLength(2);
    expect(before.statement.closingBalances).toEqual([{ currency: 'EUR', balance: -1 }]);
    const after = await statement(one, { from: '2026-12-01' });
    expect(after.lines).toMatchObject([{ day: '2026-12-01', amount: -5, balance: -6 }]);
    expect(after.statement).toMatchObject({
      openingBalances: [{ currency: 'EUR', balance: -1 }],
      closingBalances: [{ currency: 'EUR', balance: -6 }],
    });
  });

  test('has the lines of all of their subscriptions and currencies, in pages', async () => {
    const { seller, externalId, id } = one;
    await transfer(seller, id, 11_900);
    tick();
    good(await seller.act('cancel', id, {}));
    tick();
    const planId = await seller.newPlan({ price: 5, currency: 'USD' });
    good(await seller.subscribe({ body: { externalId, planId } }));
    const whole = await statement(one);
    expect(whole.lines.map(({ currency, balance }: Record<string, unknown>) => [currency, balance])).toEqual([
      ['EUR', 119],
      ['EUR', 0],
      ['USD', 5],
    ]);
    expect(whole.statement.closingBalances).toEqual([
      { currency: 'EUR', balance: 0 },
      { currency: 'USD', balance: 5 },
    ]);
    const first = await statement(one, { limit: '2' });
    expect(first.lines).toEqual(whole.lines.slice(0, 2));
    const second = await statement(one, { limit: '2', cursor: first.nextCursor });
    expect(second).toEqual({ statement: whole.statement, lines: whole.lines.slice(2) });
    expect(await csvRowsOf(one, { limit: '1' })).toEqual(await csvRowsOf(one));
  });

  test('has no period that ends before it begins', async () => {
    const { status, body } = await call('journal.account-statement', {
      headers: one.seller.headers,
      params: { externalId: one.externalId },
      query: { from: '2026-12-01', to: '2026-11-30' },
    });
    expect([status, body.details]).toEqual([400, { from: 'must not be after `to`' }]);
  });

  test('is refused for a client with more changes than one request reads', async () => {
    await transfer(one.seller, one.id, 11_900);
    const request = {
      params: { externalId: one.externalId },
      query: {},
      headers: {},
      caller: { applicationId: one.seller.applicationId },
      baseUrl: '',
      rateLimitPassed: Promise.resolve(),
    } as unknown as Input<typeof accountStatementRoute>;
    expect((await readAccountStatement(request, 2)).status).toBe(200);
    await expect(readAccountStatement(request, 1)).rejects.toMatchObject({ code: 'limit_exceeded' });
  });
});

/** The rows of all pages as CSV. */
async function csvRowsOf({ seller, externalId }: One, query: Record<string, string> = {}) {
  const { text, headers } = await call('journal.account-statement', {
    headers: { ...seller.headers, accept: 'text/csv' },
    params: { externalId },
    query,
  });
  const [names = '', ...rows] = text.trim().split('\r\n');
  const cells = rows.map((row) => row.split(','));
  const own = cells.map((row) =>
    Object.fromEntries(names.split(',').map((name, at) => [name, row[at] ?? ''])),
  );
  const { link } = headers;
  if (link === undefined) return own;
  const next = new URL(link.slice(1, link.indexOf('>')));
  expect(next.pathname).toMatch(`/api/v1/clients/${externalId}/statement`);
  const more: typeof own = await csvRowsOf(
    { seller, externalId, id: '' },
    Object.fromEntries(next.searchParams),
  );
  return [...own, ...more];
}
