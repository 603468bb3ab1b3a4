import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { defined } from '../../../functions/shared/contract/defined.ts';
import { createTable } from '../../../lib/local/table.ts';
import type { Call } from '../../support/call.ts';
import { asApplication, newParties } from '../../support/samples/links.ts';
import { bearer, newOperatorKey } from '../../support/tenants.ts';
import { roundTrips } from '../budgets.ts';
import { row } from '../cases/case.ts';
import { storedLinks } from '../cases/links.ts';
import { prepared } from '../cases/prepare.ts';
import { median, printTable, round, verdict } from '../print.ts';
import { metered } from './meter.ts';

const sizes = [10, 1_000, 10_000];
const pageSize = 50;
const rounds = 60;
/** One application may send 50 requests a second. */
const apartMs = 25;

/** The cost of the first page of the shortest list that fills it. A longer list must cost no more. */
const readBudget = new Map<string, number>();

/** Reads the same page of a growing list, in a table of its own, so that the queue contains only its links. */
export async function benchLinkLists(): Promise<void> {
  const { TABLE_NAME: shared = '' } = process.env;
  process.env.TABLE_NAME = `${shared}-lists`;
  try {
    await createTable(process.env.AWS_ENDPOINT_URL_DYNAMODB ?? '', process.env.TABLE_NAME);
    await measure();
  } finally {
    process.env.TABLE_NAME = shared;
  }
}

async function measure(): Promise<void> {
  const parties = await newParties();
  const requests: Record<string, Call> = {
    'links.list': { headers: asApplication(parties) },
    'links.review-list': { headers: bearer(await newOperatorKey()) },
  };
  const rows = [];
  let count = 0;
  for (const size of sizes) {
    await storedLinks(parties, size - count, { firstAtMs: Date.now() - (sizes.at(-1) ?? 0) + count });
    count = size;
    for (const [id, { headers = {} }] of Object.entries(requests)) {
      const first = { headers, query: { limit: String(pageSize) } };
      const isFull = size > 2 * pageSize;
      rows.push([id, size, 'first', ...(await figures(id, first, isFull))]);
      if (!isFull) continue;
      const cursor = await halfway(id, headers, size);
      const middle = { headers, query: { limit: String(pageSize), cursor } };
      rows.push([id, size, 'halfway', ...(await figures(id, middle, isFull))]);
    }
  }
  printTable(
    `A page of ${pageSize} links as the lists grow, median of ${rounds}`,
    [
      'list',
      'links',
      'page',
      'trips',
      'budget',
      '',
      'read units',
      'budget',
      '',
      'bytes of response',
      'ms with the engine',
    ],
    rows,
  );
}

/** The cursor of the page that begins halfway through the list. */
async function halfway(id: string, headers: Record<string, string>, size: number): Promise<string> {
  let cursor: string | undefined;
  for (let listed = 0; listed < size / 2; listed += 100) {
    const query: Record<string, string> = { limit: '100', ...defined({ cursor }) };
    const page = await (await prepared(row(id, 'a page', () => ({ headers, query }))))();
    cursor = JSON.parse(page).nextCursor;
    await sleep(apartMs);
  }
  return cursor ?? '';
}

async function figures(id: string, request: Call, isFull: boolean): Promise<(string | number)[]> {
  const budget = roundTrips[id] ?? 0;
  const list = await prepared(row(id, 'a page', () => request));
  const meter = await metered(list);
  const bytes = Buffer.byteLength(await list());
  const times: number[] = [];
  for (let i = 0; i < rounds; i += 1) {
    await sleep(apartMs);
    const start = performance.now();
    await list();
    times.push(performance.now() - start);
  }
  return [
    ...[meter.roundTrips, budget, verdict(meter.roundTrips <= budget)],
    ...heldReads(id, meter.readUnits, isFull),
    ...[bytes, round(median(times), 2)],
  ];
}

function heldReads(id: string, units: number, isFull: boolean): [number, string, string] {
  if (!isFull) return [units, '-', ''];
  const budget = readBudget.get(id) ?? units;
  readBudget.set(id, budget);
  return [units, String(budget), verdict(units <= budget)];
}
