import { countPage, isCounted } from '../../../../functions/reports/count.ts';
import { noFigures, RevenueReport, rateOf } from '../../../../functions/reports/revenue.ts';
import { newRun, revenueReport } from '../../../../functions/reports/revenue-parts.ts';
import type { ListedEntry } from '../../../../functions/shared/lists/listed-entry.ts';
import type { PlaceRange } from '../../../../functions/shared/lists/listed-store.ts';
import { dayMs } from '../../../../functions/shared/runtime/clock.ts';
import type { Facts } from '../../../../functions/shared/table/listing.ts';
import type { Movement } from '../../../../functions/subscriptions/record/movement.ts';

const fromMs = Date.UTC(2026, 9, 1);
const toMs = Date.UTC(2026, 10, 1);
const asOfMs = Date.UTC(2026, 10, 20);
const period = { fromMs, toMs };

/** The figures of a report that are not 0. */
function figures(add: (report: RevenueReport) => void) {
  const all = noFigures();
  add(new RevenueReport(period, asOfMs, all));
  const present = (of: object): object =>
    Object.fromEntries(
      Object.entries(of)
        .map(([name, value]) => [name, typeof value === 'object' ? present(value) : value])
        .filter(([, value]) => value !== 0 && (typeof value !== 'object' || Object.keys(value).length > 0)),
    );
  return present(all);
}
const move = (kind: Movement['kind'], atMs: number, monthlyMinor: number, currency = 'EUR'): Movement => ({
  kind,
  atMs,
  monthlyMinor,
  currency,
});
const moved = (...movements: Movement[]) =>
  figures((report) => report.addSubscription({ planId: 'pln_1', movements }));

test.each([
  ['nothing', [], {}],
  [
    'new at the beginning',
    [move('new', fromMs, 500)],
    {
      totals: { EUR: { recurring: { new: 500, end: 500 } } },
      counts: { payingAtEnd: 1, new: 1 },
    },
  ],
  [
    'new before the beginning',
    [move('new', fromMs - 1, 500)],
    {
      totals: { EUR: { recurring: { start: 500, end: 500 } } },
      counts: { payingAtStart: 1, payingAtEnd: 1 },
    },
  ],
  ['new at the end', [move('new', toMs, 500)], {}],
  [
    'grown, shrunk and paused',
    [
      move('new', fromMs - 9, 500),
      move('expansion', fromMs, 900),
      move('contraction', fromMs + 1, 700),
      move('paused', toMs - 1, 0),
      move('reactivated', toMs, 700),
    ],
    {
      totals: { EUR: { recurring: { start: 500, expansion: 400, contraction: -200, paused: -700 } } },
      counts: { payingAtStart: 1 },
    },
  ],
  [
    'ended and back',
    [move('new', fromMs - 9, 500), move('churned', fromMs + 1, 0), move('reactivated', fromMs + 2, 600)],
    {
      totals: { EUR: { recurring: { start: 500, churned: -500, reactivated: 600, end: 600 } } },
      counts: { payingAtStart: 1, payingAtEnd: 1, churned: 1, reactivated: 1 },
    },
  ],
  ['ended before', [move('new', fromMs - 9, 500), move('churned', fromMs - 1, 0)], {}],
  [
    'in another currency',
    [move('new', fromMs - 9, 500), move('contraction', fromMs, 0), move('expansion', fromMs, 600, 'USD')],
    {
      totals: {
        EUR: { recurring: { start: 500, contraction: -500 } },
        USD: { recurring: { expansion: 600, end: 600 } },
      },
      counts: { payingAtStart: 1, payingAtEnd: 1 },
    },
  ],
] as [string, Movement[], object][])(
  'the recurring revenue of a subscription: %s',
  (_, movements, expected) => {
    expect(moved(...movements)).toEqual(expected);
  },
);

describe('a trial', () => {
  const trial = (facts: object) =>
    figures((report) =>
      report.addSubscription(Object.assign({ planId: 'pln_1', trialStartMs: fromMs }, facts)),
    );
  const before = { trialStartMs: fromMs - 1 };

  test.each([
    ['started', {}, { counts: { trialsStarted: 1 } }],
    ['started before', before, {}],
    ['started after', { trialStartMs: toMs }, {}],
    [
      'lost',
      { trialStartMs: fromMs - 1, endedAtMs: toMs - 1, endReason: 'canceled' },
      { counts: { trialsLost: 1 } },
    ],
    ['lost after the period', { trialStartMs: fromMs - 1, endedAtMs: toMs }, {}],
    [
      'replaced',
      { trialStartMs: fromMs - 1, endedAtMs: fromMs, endReason: 'replaced' },
      { counts: { trialsConverted: 1 } },
    ],
  ])('%s', (_, facts, expected) => {
    expect(trial(facts)).toEqual(expected);
  });

  test('that was paid for is converted, and not lost when it ends', () => {
    const movements = [move('new', fromMs, 500), move('churned', toMs - 1, 0)];
    const facts = { trialStartMs: fromMs - 1, endedAtMs: toMs - 1, endReason: 'replaced', movements };
    expect(trial(facts)).toMatchObject({ counts: { trialsConverted: 1, new: 1, churned: 1 } });
    expect(trial(facts)).not.toHaveProperty('counts.trialsLost');
    expect(figures((report) => report.addSubscription({ planId: 'p', endedAtMs: fromMs }))).toEqual({});
  });
});

describe('money', () => {
  const invoice = {
    externalId: 'a',
    planId: 'p',
    currency: 'EUR',
    totalMinor: 900,
    settledMinor: 100,
    dueAtMs: 0,
  };
  const payment = { status: 'applied', currency: 'EUR', amountMinor: 70, valueAtMs: fromMs } as const;

  test('is invoiced and credited', () => {
    const add = (report: RevenueReport) => {
      report.addInvoice(invoice);
      report.addInvoice(invoice);
      report.addCreditNote({ currency: 'EUR', totalMinor: 30, reason: 'refund' });
      report.addCreditNote({ currency: 'USD', totalMinor: 5, reason: 'refund' });
    };
    expect(figures(add)).toEqual({
      totals: { EUR: { invoiced: 1_800, credited: 30 }, USD: { credited: 5 } },
    });
  });

  test.each([
    ['notDue', 0],
    ['days1To30', 1],
    ['days1To30', 30 * dayMs],
    ['days31To60', 30 * dayMs + 1],
    ['days31To60', 60 * dayMs],
    ['days61To90', 60 * dayMs + 1],
    ['days61To90', 90 * dayMs],
    ['over90', 90 * dayMs + 1],
    ['notDue', -dayMs],
  ])('is outstanding, %s, %d ms after the due date', (age, overdueMs) => {
    const dueAtMs = asOfMs - overdueMs;
    const added = figures((report) => report.addOpenInvoice(Object.assign({}, invoice, { dueAtMs })));
    expect(added).toEqual({ totals: { EUR: { outstanding: { [age]: 800 } } } });
  });

  test.each([
    [{}, { received: 70 }],
    [{ valueAtMs: fromMs - 1 }, undefined],
    [{ valueAtMs: toMs - 1 }, { received: 70 }],
    [{ valueAtMs: toMs }, undefined],
    [{ neverArrived: true as const }, undefined],
    [
      { returnedMinor: 20, returnedAtMs: fromMs },
      { received: 70, returned: 20 },
    ],
    [{ valueAtMs: fromMs - 1, returnedMinor: 20, returnedAtMs: toMs - 1 }, { returned: 20 }],
    [{ returnedMinor: 20, returnedAtMs: toMs }, { received: 70 }],
  ])('of a payment with %j is %j', (more, expected) => {
    const added = figures((report) => report.addPayment(Object.assign({}, payment, more)));
    expect(added).toEqual(expected === undefined ? {} : { totals: { EUR: expected } });
  });
});

test('a rate has four decimals, rounded half up', () => {
  expect([rateOf(1, 3), rateOf(2, 3), rateOf(1, 20_000), rateOf(0, 5), rateOf(1, 0)]).toEqual([
    ...[0.3333, 0.6667, 0.0001, 0],
    undefined,
  ]);
});

describe('a run', () => {
  const pageEntries = 3;
  const iso = (atMs: number) => new Date(atMs).toISOString();
  const listed = (list: string, atMs: number, facts: Facts): ListedEntry => {
    return { pk: 'PK', sk: 'SK', list: `LIST#app_1#${list}#0`, listedAt: `${iso(atMs)}#id`, listed: facts };
  };
  interface Asked extends PlaceRange {
    kind: string;
    statuses: readonly string[];
  }
  const store = (entriesOf: (asked: Asked) => ListedEntry[]) => {
    const asked: Asked[] = [];
    return {
      asked,
      async *newestFirst(partitions: readonly string[], range: PlaceRange, expected: number) {
        const parts = partitions.map((partition) => partition.split('#'));
        const [kinds, statuses] = [2, 3].map((n) => [...new Set(parts.map((part) => part[n] ?? ''))]);
        expect([new Set(parts.map(([, id]) => id)), expected]).toEqual([new Set(['app_1']), pageEntries]);
        expect(kinds).toHaveLength(1);
        const one = { kind: kinds?.[0] ?? '', statuses: statuses ?? [], from: range.from, to: range.to };
        asked.push(one);
        yield* entriesOf(one);
      },
    };
  };

  test('reads each part of the index once', async () => {
    const run = newRun('app_1', period, asOfMs);
    expect(run).toMatchObject({ applicationId: 'app_1', period, asOfMs, records: 0, figures: noFigures() });
    expect(isCounted(run)).toBe(false);
    const { asked, newestFirst } = store(() => []);
    await countPage(run, revenueReport, { newestFirst }, pageEntries);
    const [from, to, end, recorded] = [fromMs, toMs, asOfMs + 1, fromMs - 30 * dayMs].map(iso);
    expect(asked.map(({ kind, from, to }) => [kind, from, to])).toEqual([
      ['subscription', '0', end],
      ['invoice', from, to],
      ['invoice', '0', from],
      ['invoice', to, end],
      ['credit_note', from, to],
      ['journal', from, to],
      ['payment', recorded, end],
      ['payment', '0', recorded],
    ]);
    const statuses = asked.map((one) => one.statuses);
    expect(statuses.slice(2, 6)).toEqual([['open'], ['open'], ['issued'], ['booked']]);
    expect(statuses[6]).toContain('partly_returned');
    expect(statuses[6]).not.toContain('processing');
    expect(statuses[7]).toEqual(['refunded', 'disputed', 'returned', 'partly_returned']);
    expect(isCounted(run)).toBe(true);
    await countPage(run, revenueReport, { newestFirst }, pageEntries);
    expect(asked).toHaveLength(8);
    expect(newRun('app_1', { fromMs: 0, toMs }, asOfMs).unread.payments?.from).toBe(iso(0));
  });

  test('adds what it reads, and goes on after the last entry of a page', async () => {
    const run = newRun('app_1', period, asOfMs);
    const open = { currency: 'EUR', totalMinor: 100, dueAtMs: asOfMs };
    const entries: Record<string, ListedEntry[]> = {
      subscription: [listed('subscription#active', fromMs, { movements: [move('new', fromMs, 50)] })],
      invoice: [listed('invoice#open', fromMs, open), listed('invoice#paid', fromMs, open)],
      credit_note: [listed('credit_note#issued', fromMs, { currency: 'EUR', totalMinor: 9 })],
      payment: [listed('payment#applied', fromMs, { currency: 'EUR', amountMinor: 100, valueAtMs: fromMs })],
    };
    const isFirst = ({ kind, statuses, from }: Asked) =>
      from !== '0' || kind === 'subscription' ? statuses.length > 1 || kind === 'credit_note' : false;
    await countPage(
      run,
      revenueReport,
      store((range) => (isFirst(range) ? (entries[range.kind] ?? []) : [])),
      pageEntries,
    );
    expect(run.records).toBe(5);
    expect(run.figures.totals.EUR).toMatchObject({
      invoiced: 200,
      credited: 9,
      received: 100,
      outstanding: { notDue: 100 },
      recurring: { new: 50, end: 50 },
    });
  });

  test('takes a page of a part at once, and counts the last of them once', async () => {
    const run = newRun('app_1', period, asOfMs);
    run.unread = { creditNotes: { from: iso(fromMs), to: iso(toMs) } };
    const note = (n: number) => listed('credit_note#issued', toMs - n, { currency: 'EUR', totalMinor: 1 });
    const all = Array.from({ length: 4 }, (_, i) => note(i + 1));
    const { newestFirst } = store(({ to }) => all.filter(({ listedAt }) => listedAt <= to));
    await countPage(run, revenueReport, { newestFirst }, pageEntries);
    expect([run.records, isCounted(run), run.unread.creditNotes?.to]).toEqual([3, false, note(3).listedAt]);
    await countPage(run, revenueReport, { newestFirst }, pageEntries);
    expect([run.records, isCounted(run), run.figures.totals.EUR?.credited]).toEqual([4, true, 4]);
  });
});
