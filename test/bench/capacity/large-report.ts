import { performance } from 'node:perf_hooks';
import { type Answered, call, newSeller } from '../../support/call.ts';
import { engineFile, putListings } from '../../support/lists/listings.ts';
import { largeReport as budget } from '../budgets.ts';
import { printTable, round, verdict } from '../print.ts';
import { metered } from './meter.ts';

/** Prepares revenue reports of sellers with many subscriptions, request by request, until the response is 200. */
export async function benchLargeReport(sizes: readonly number[] = [10_000, 100_000]): Promise<void> {
  if (engineFile === undefined) return;
  const rows = [];
  for (const subscriptions of sizes) rows.push(await figures(subscriptions));
  printTable(
    'Revenue reports of large sellers, with an invoice for each subscription and a payment for one in ten',
    [
      'subscriptions',
      'requests',
      'ms together',
      'longest ms',
      'budget',
      'heap MB',
      'budget',
      'read units',
      'budget',
      '',
    ],
    rows,
  );
}

async function figures(subscriptions: number): Promise<(string | number)[]> {
  const seller = await newSeller();
  await putListings(seller, { subscriptions, nowMs: Date.now() });
  const times: number[] = [];
  let heapBytes = 0;
  const sample = setInterval(() => {
    heapBytes = Math.max(heapBytes, process.memoryUsage().heapUsed);
  }, 20);
  const { readUnits } = await metered(async () => {
    let answer: Answered;
    do {
      const start = performance.now();
      const request = { headers: seller.headers, query: { from: '2000-01-01' } };
      answer = await call('reports.revenue-read', request);
      times.push(performance.now() - start);
    } while (answer.status === 202);
    const counted = answer.body.report?.subscriptions.payingAtEnd;
    if (counted !== subscriptions) throw new Error(`The report (${answer.status}) counts ${counted}`);
  });
  clearInterval(sample);
  const longestMs = Math.max(...times);
  const heapMb = heapBytes / 1024 ** 2;
  const units = (budget.readUnitsPerThousand * subscriptions) / 1_000;
  return [
    subscriptions,
    times.length,
    Math.round(times.reduce((sum, ms) => sum + ms, 0)),
    Math.round(longestMs),
    budget.requestMs,
    Math.round(heapMb),
    budget.heapMb,
    round(readUnits),
    units,
    verdict(heapMb <= budget.heapMb && readUnits <= units, longestMs <= budget.requestMs),
  ];
}
