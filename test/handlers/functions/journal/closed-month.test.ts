/** A month that has ended stays as it is: what is late for it is booked in the present month, and says so. */
import { paymentIdOf } from '../../../../functions/ledger/payment-id.ts';
import { dayMs } from '../../../../functions/shared/runtime/clock.ts';
import { importParts } from '../../../../functions/statements/import/import-parts.ts';
import {
  call,
  germanSeller,
  germanTax,
  good,
  leaveOutPdfs,
  newSeller,
  onTestClock,
  step,
  type Tenant,
} from '../../../support/call.ts';
import { datev } from '../../../support/journal/datev.ts';
import { complaintOf, hasHledger } from '../../../support/journal/hledger.ts';
import { csvRows, journalPages } from '../../../support/journal/pages.ts';
import {
  dispute,
  newEventId,
  payOut,
  reportOf,
  settlement,
  transfer,
} from '../../../support/payments/payments.ts';
import { goodPayment, recordPayment } from '../../../support/samples/finance.ts';
import { camt, entryXml, type XmlEntry } from '../../../support/statements/bank-files.ts';
import { confirm, sendFile } from '../../../support/statements/statement-stage.ts';
import { storedSubscription } from '../../../support/subscriptions/stored-state.ts';

/** The last evening of February where the seller is; in UTC it is the 28th. */
const february = Date.parse('2027-02-28T20:00:00Z');
const march = Date.parse('2027-03-03T12:00:00Z');
onTestClock(february);
leaveOutPdfs();

const settings = {
  timeZone: 'Europe/Berlin',
  seller: germanSeller,
  tax: germanTax,
  datev,
};

/** A subscription at 10.00 with an open invoice. */
const owing = (tenant: Tenant) => tenant.subscribedTo({ price: 10 });

/** A second later: each record has a time of its own. */
const tick = () => vi.setSystemTime(Date.now() + 1_000);

const month = (of: string, last: string) => ({ from: `${of}-01`, to: `${of}-${last}` });

/** The journal of a month in all formats. The header of DATEV has the time at which it is written. */
async function journalOf(tenant: Tenant, query: Record<string, string>): Promise<string[]> {
  const pages = [
    ...(await journalPages(tenant, query)),
    ...(await journalPages(tenant, query, 'text/csv')),
    ...(await journalPages(tenant, { ...query, format: 'hledger' })),
    ...(await journalPages(tenant, { ...query, format: 'datev' })),
  ];
  return pages.map((page) => page.replace(/(?<="Buchungsstapel";13;)\d{17}/, 'now'));
}

let tenant: Tenant;
beforeEach(async () => {
  vi.setSystemTime(february);
  tenant = await newSeller('sandbox', settings);
});

test('no command of a later month changes the journal of the month before, nor what was owed at its end', async () => {
  const byBank = await owing(tenant);
  const byGateway = await owing(tenant);
  const refunded = await owing(tenant);
  const disputed = await owing(tenant);
  const cancelled = await owing(tenant);
  const overdue = await owing(tenant);
  const inFebruary = { atMs: february - 60_000 };
  const refundedPayment = { ...(await reportOf(tenant, refunded.externalId)), ...inFebruary };
  const disputedPayment = { ...(await reportOf(tenant, disputed.externalId)), ...inFebruary };
  for (const payment of [refundedPayment, disputedPayment]) {
    tick();
    expect(await settlement.recordPayment(payment)).toBe('applied');
  }
  tick();
  const waiting = good(await recordPayment(tenant, goodPayment({ amount: 5 }))).payment._id;
  const returned = good(await recordPayment(tenant, goodPayment({ amount: 7 }))).payment._id;
  vi.setSystemTime(march);
  const query = month('2027-02', '28');
  const before = await journalOf(tenant, query);
  const owed = await csvRows(tenant, 'reports.receivables-read', { at: '2027-02-28' });
  expect(owed).toHaveLength(4);

  const asked = async (answer: Promise<{ status: number; text: string }>) => {
    const { status, text } = await answer;
    expect(status, text).toBeLessThan(300);
    tick();
  };
  await transfer(tenant, byBank.id, 2_500, { valueAtMs: Date.parse('2027-02-26') });
  tick();
  const late = { ...(await reportOf(tenant, byGateway.externalId)), atMs: february + dayMs / 12 };
  expect(await settlement.recordPayment(late)).toBe('applied');
  const bank = good(await recordPayment(tenant, goodPayment({ valueDate: '2027-02-27', amount: 4 }))).payment;
  await asked(call('payments.reverse', tenant.callFor(bank._id, { reason: 'recalled' })));
  const claim = { eventId: newEventId(), atMs: Date.parse('2027-02-28T21:30:00Z') };
  await settlement.recordRefund({ ...refundedPayment, ...claim, refundedMinor: 400 });
  tick();
  await settlement.recordReversal({ ...disputedPayment, ...dispute, ...claim, eventId: newEventId() });
  tick();
  await asked(tenant.act('cancel', cancelled.id, {}));
  await asked(call('payments.apply', tenant.callFor(waiting, { subscriptionId: overdue.id })));
  await asked(call('payments.return', tenant.callFor(returned, { reason: 'unknown' })));
  await asked(payOut({ seller: tenant, externalId: byBank.externalId }, { amount: 1 }));
  const dearer = await tenant.newPlan({ price: 15 });
  await asked(tenant.act('change', byBank.id, { planId: dearer, when: 'now' }));
  await asked(tenant.act('activate', (await owing(tenant)).id, { valueDate: '2027-02-25' }));
  vi.setSystemTime(march + 40 * dayMs);
  for (const { externalId } of [byBank, byGateway]) {
    await step((await storedSubscription(tenant, externalId)).subscription);
    tick();
  }

  const kinds = new Set(
    (await csvRows(tenant, 'journal.list', { from: '2027-03-01' })).map(({ kind }) => kind),
  );
  for (const kind of [
    'payment',
    'allocation',
    'cancellation',
    'credit_note',
    'refund',
    'dispute',
    'reversal',
    'pay_out',
  ])
    expect(kinds).toContain(kind);
  expect(await journalOf(tenant, query)).toEqual(before);
  expect(await csvRows(tenant, 'reports.receivables-read', { at: '2027-02-28' })).toEqual(owed);
});

/** Imports a statement by which the bank took something of a payment back. */
async function takenBack(paymentId: string, entry: XmlEntry) {
  const file = camt([entryXml({ indicator: 'DBIT', reversal: true, text: 'Rueckruf', ...entry })]);
  const { _id: statementId } = (await sendFile(tenant, file)).body.statement;
  tick();
  await confirm(tenant, statementId, [{ entryId: '1', paymentId }]);
  await importParts({ applicationId: tenant.applicationId, statementId });
}

describe('an entry', () => {
  /** The latest entry of the journal. */
  const latest = async () => good(await call('journal.list', { headers: tenant.headers })).records[0];

  test.each([
    [
      'of a transfer of the month before',
      march,
      '2027-02-28',
      { valueDate: '2027-02-28', lateFor: '2027-02' },
    ],
    [
      'of a transfer of an earlier year',
      march,
      '2026-12-31',
      { valueDate: '2026-12-31', lateFor: '2026-12' },
    ],
    ['of a transfer of this month', march, '2027-03-01', { valueDate: '2027-03-01' }],
    ['of a transfer of tomorrow', march, '2027-03-04', { valueDate: '2027-03-04' }],
    ['of a transfer of today', march, '2027-03-03', {}],
    // It is March in Berlin, and February in UTC.
    ['of a time of this month in its time zone', march, '2027-02-28T23:30:00Z', { valueDate: '2027-03-01' }],
    [
      'of a time of the month before',
      march,
      '2027-02-28T22:30:00Z',
      { valueDate: '2027-02-28', lateFor: '2027-02' },
    ],
    [
      'booked seconds after the end of the month',
      Date.parse('2027-02-28T23:00:02Z'),
      '2027-02-28T22:59:59Z',
      { valueDate: '2027-02-28', lateFor: '2027-02' },
    ],
    ['booked seconds after the money moved', Date.parse('2027-02-28T22:59:59Z'), '2027-02-28T22:50:00Z', {}],
  ])('%s says so', async (_name, nowMs, valueDate, expected) => {
    vi.setSystemTime(nowMs);
    await recordPayment(tenant, goodPayment({ valueDate }));
    const [entry] = (await latest()).entries;
    const { valueDate: shown, lateFor } = entry;
    expect({ valueDate: shown, lateFor }).toEqual({ valueDate: undefined, lateFor: undefined, ...expected });
  });

  // It is March in UTC, and still February in New York.
  test.each([
    ['within minutes of its start in UTC', '2027-03-01T00:05:00Z', { valueDate: '2027-03-01' }],
    ['later', '2027-03-03T12:00:00Z', { valueDate: '2027-03-01' }],
  ])("west of UTC has the bank's day of a transfer, booked %s", async (_name, now, expected) => {
    tenant = await newSeller('sandbox', { ...settings, timeZone: 'America/New_York' });
    vi.setSystemTime(Date.parse(now));
    await recordPayment(tenant, goodPayment({ valueDate: '2027-03-01' }));
    const { valueDate, lateFor } = (await latest()).entries[0];
    expect({ valueDate, lateFor }).toEqual({ lateFor: undefined, ...expected });
  });

  test('of a dispute, and of its end, has the time of the gateway', async () => {
    const { externalId } = await owing(tenant);
    const payment = await reportOf(tenant, externalId);
    await settlement.recordPayment({ ...payment, atMs: Date.now() });
    vi.setSystemTime(march);
    const claim = { ...payment, ...dispute, atMs: Date.parse('2027-02-28T21:00:00Z') };
    await settlement.recordReversal({ ...claim, eventId: newEventId() });
    expect((await latest()).entries[0]).toMatchObject({ kind: 'dispute', lateFor: '2027-02' });
    tick();
    await settlement.recordReinstatement({ ...claim, atMs: claim.atMs + 1_000, eventId: newEventId() });
    expect((await latest()).entries[0]).toMatchObject({ kind: 'dispute_won', lateFor: '2027-02' });
  });

  test('of a reversal in a statement has its value date, and what the seller states afterwards has none', async () => {
    const { payment } = good(
      await recordPayment(tenant, goodPayment({ amount: 10, valueDate: '2027-02-20' })),
    );
    vi.setSystemTime(march);
    const parts = [
      { amount: '3.00', date: '2027-02-27', late: { valueDate: '2027-02-27', lateFor: '2027-02' } },
      { amount: '2.00', date: '2027-01-31', late: { valueDate: '2027-01-31', lateFor: '2027-01' } },
    ];
    for (const { amount, date, late } of parts) {
      await takenBack(payment._id, { amount, date });
      expect((await latest()).entries[0]).toMatchObject({ kind: 'reversal', ...late });
    }
    tick();
    // A total that the seller states has the date of the request.
    good(await call('payments.reverse', tenant.callFor(payment._id, { amount: 4, reason: 'Less' })));
    const [given] = (await latest()).entries;
    expect(given.postings).toMatchObject([{ account: 'bank', amount: 1 }, { amount: -1 }]);
    expect(given).not.toHaveProperty('valueDate');
  });

  test('that is late is marked in CSV, for hledger and for DATEV', async () => {
    vi.setSystemTime(march);
    await recordPayment(tenant, goodPayment({ valueDate: '2027-02-27', paymentId: 'p-1' }));
    const id = paymentIdOf(tenant.applicationId, 'application', 'p-1');
    expect(await csvRows(tenant, 'journal.list', {})).toMatchObject([
      { day: '2027-03-03', valueDate: '2027-02-27', lateFor: '2027-02', paymentId: id },
      { day: '2027-03-03', valueDate: '2027-02-27', lateFor: '2027-02', paymentId: id },
    ]);
    const [hledger = ''] = await journalPages(tenant, { format: 'hledger' });
    expect(hledger).toMatch(
      /^2027-03-03=2027-02-27 \(jrn_\w+\) payment {2}; payment:pay_\w+, late:2027-02$/m,
    );
    if (hasHledger) expect(complaintOf(hledger)).toBe('');
    const [datev = ''] = await journalPages(tenant, { ...month('2027-03', '31'), format: 'datev' });
    const [, headings = '', row = ''] = datev.split('\r\n').map((line) => line.split(';'));
    expect(row).toHaveLength(125);
    expect(row.slice(47, 52)).toEqual([
      '"Wertstellung"',
      '"2027-02-27"',
      '"Nachbuchung zu"',
      '"2027-02"',
      '""',
    ]);
    // The date of a service and the period of the tax.
    expect(row.slice(114, 116)).toEqual(['', '']);
    expect(headings).toHaveLength(125);
  });
});
