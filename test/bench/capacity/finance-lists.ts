import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Call } from '../../support/call.ts';
import { asSeller, newSeller } from '../../support/subscriptions/requests.ts';
import { row } from '../cases/case.ts';
import { populate } from '../cases/finance-lists.ts';
import { prepared } from '../cases/prepare.ts';
import { median, printTable, round } from '../print.ts';
import { metered } from './meter.ts';

const defaultSizes = [1_000, 10_000];
const rounds = 10;
/** One application may send 50 requests a second. */
const apartMs = 25;

/** Reads the same pages, and the report, of a seller with more and more clients, each with five records. */
export async function benchFinanceLists(sizes: readonly number[] = defaultSizes): Promise<void> {
  const seller = await newSeller();
  const pageOf = (query: Record<string, string> = {}): Call => ({
    headers: asSeller(seller),
    query: { limit: '100', ...query },
  });
  const requests: [id: string, what: string, request: Call][] = [
    ['subscriptions.list', '100 of all', pageOf()],
    ['subscriptions.list', '100 active', pageOf({ status: 'active' })],
    ['finance.invoice-list', '100 of all', pageOf()],
    ['finance.invoice-list', '100 overdue', pageOf({ overdue: 'true' })],
    ['finance.client-list', '100 of all', pageOf()],
    ['finance.payment-list', '100 of all', pageOf()],
    ['finance.payment-list', '100 unapplied', pageOf({ unapplied: 'true' })],
    ['finance.report-revenue', 'all', { headers: asSeller(seller), query: { from: '2026-01-01' } }],
  ];
  const rows = [];
  let count = 0;
  for (const size of sizes) {
    await populate(seller, count, size);
    count = size;
    for (const [id, what, request] of requests) rows.push([id, what, size, ...(await figures(id, request))]);
  }
  printTable(
    `Lists of finance as a seller grows, median of ${rounds}`,
    [
      'endpoint',
      'request',
      'clients',
      'trips',
      'calls',
      'read units',
      'bytes of response',
      'ms with the engine',
    ],
    rows,
  );
}

async function figures(id: string, request: Call): Promise<(string | number)[]> {
  const send = await prepared(row(id, 'a page', () => request));
  const { roundTrips, calls, readUnits } = await metered(send);
  const bytes = Buffer.byteLength(await send());
  const times: number[] = [];
  for (let i = 0; i < rounds; i += 1) {
    await sleep(apartMs);
    const start = performance.now();
    await send();
    times.push(performance.now() - start);
  }
  return [roundTrips, calls, round(readUnits), bytes, round(median(times), 2)];
}
