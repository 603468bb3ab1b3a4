/** The journal of a walk, as hledger reads it, beside the records. */
import { isDeepStrictEqual } from 'node:util';
import { defined } from '../../../../functions/shared/contract/defined.ts';
import { call, good, type Tenant } from '../../call.ts';
import { balancesOf, complaintOf, hasHledger } from '../../journal/hledger.ts';
import { csvRows, journalPages } from '../../journal/pages.ts';
import type { Seeded } from '../../parallel/seeded.ts';
import { type Balances, balancesOfRecords } from './balances.ts';
import { type Books, receivableMinor } from './books.ts';
import type { Shop } from './world.ts';

const dayMs = 86_400_000;
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 'yyyy-mm-dd'.length);

/**
 * The errors of the journal, in sentences; empty when hledger accepts it, and its balances are those of the records and of the
 * reports, now and at the end of a day of the past.
 */
export async function faultsOfJournal(
  { seller }: Shop,
  startMs: number,
  books: Books,
  random: Seeded,
): Promise<string[]> {
  const faults = await faultsOfMoment(seller, startMs, books, random);
  if (!hasHledger) return faults;
  const journal = (await journalPages(seller, { format: 'hledger' })).join('\n');
  const complaint = complaintOf(journal);
  if (complaint !== '') return [complaint];
  const balances = balancesOf(journal);
  const lastMs = startMs + random.below(Math.floor((Date.now() - startMs) / dayMs)) * dayMs;
  const then = balancesOf(journal, dayOf(lastMs + dayMs));
  const compare = (stated: Balances, expected: Balances) =>
    isDeepStrictEqual(stated, expected)
      ? []
      : [`The journal has ${JSON.stringify(stated)}, the API has ${JSON.stringify(expected)}`];
  const last = dayOf(lastMs);
  return [
    ...faults,
    ...compare(balances, { ...(await listedReceivables(seller)), ...balancesOfRecords(books) }),
    ...compare(of(balances, 'assets:receivable:'), await receivables(seller)),
    ...compare(of(then, 'assets:receivable:'), await receivables(seller, last)),
    ...compare(of(balances, 'liabilities:tax:'), await taxes(seller, startMs)),
    ...compare(of(then, 'liabilities:tax:'), await taxes(seller, startMs, last)),
  ];
}

const of = (balances: Balances, accounts: string): Balances =>
  Object.fromEntries(Object.entries(balances).filter(([account]) => account.startsWith(accounts)));

/** The amount due of each invoice, as the list of invoices says. */
async function listedReceivables(seller: Tenant): Promise<Balances> {
  const due: Balances = {};
  let cursor: string | undefined;
  do {
    const query = cursor === undefined ? {} : { cursor };
    const page = good(await call('invoices.list', { headers: seller.headers, query }));
    for (const { number, amountDue, currency } of page.invoices)
      if (amountDue !== 0) due[`assets:receivable:${number} ${currency}`] = amountDue.toFixed(2);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return due;
}

/** The outstanding amount of each invoice, as the report of receivables says. @param at undefined for now. */
async function receivables(seller: Tenant, at?: string): Promise<Balances> {
  const rows = await csvRows(seller, 'reports.receivables-read', at === undefined ? {} : { at });
  return Object.fromEntries(
    rows.map(({ number, currency, outstanding = '' }) => [
      `assets:receivable:${number} ${currency}`,
      outstanding,
    ]),
  );
}

/** The tax of each country and rate, as the tax report says. @param to the last day; undefined for now. */
async function taxes(seller: Tenant, startMs: number, to?: string): Promise<Balances> {
  const query = { from: dayOf(startMs - 100 * dayMs), ...defined({ to }) };
  const { report } = good(await call('reports.tax-read', { headers: seller.headers, query }));
  const sums: Record<string, number> = {};
  for (const { country, percent, currency, tax } of report.rows) {
    const account = `liabilities:tax:${country} ${percent}% ${currency}`;
    sums[account] = (sums[account] ?? 0) - Math.round(tax * 100);
  }
  const moved = Object.entries(sums).filter(([, minor]) => minor !== 0);
  return Object.fromEntries(moved.map(([account, minor]) => [account, (minor / 100).toFixed(2)]));
}

/** The totals of the report of receivables, now and at a random time, beside the postings up to that time. */
async function faultsOfMoment(
  seller: Tenant,
  startMs: number,
  books: Books,
  random: Seeded,
): Promise<string[]> {
  const pastMs = startMs + random.below(Date.now() - startMs);
  const faults: string[] = [];
  for (const atMs of [undefined, pastMs]) {
    const query = atMs === undefined ? {} : { at: new Date(atMs).toISOString() };
    const { report } = good(await call('reports.receivables-read', { headers: seller.headers, query }));
    for (const currency of ['EUR', 'USD']) {
      const shown = report.currencies.find((one: { currency: string }) => one.currency === currency);
      const shownMinor = Math.round((shown?.total ?? 0) * 100);
      const minor = receivableMinor(books, currency, atMs ?? Date.now());
      if (shownMinor !== minor)
        faults.push(`${shownMinor} ${currency} are outstanding at ${report.at}, and the ledger has ${minor}`);
    }
  }
  return faults;
}
