import { performance } from 'node:perf_hooks';
import { registeredRoutes } from '../../../functions/routes.ts';
import { warmMs } from '../budgets.ts';
import { cases, everyDay } from '../cases/all.ts';
import type { Case } from '../cases/case.ts';
import { prepared } from '../cases/prepare.ts';
import { median, printTable, round, verdict } from '../print.ts';
import { replay } from './replay.ts';

const rounds = 2_000;
/** Megabytes take milliseconds, so that fewer rounds suffice. */
const enoughMs = 1_500;

/** Warm handler time without the table, SES and Secrets Manager. */
export async function benchWarm(chosen: (id: string) => boolean): Promise<void> {
  const isRoute = new Set(registeredRoutes().map(({ id }) => id));
  const rows: (string | number)[][] = [];
  // Only the first of many requests has a new secret.
  const repeatable = cases.filter(({ secret, alone }) => secret !== 'new' && !alone);
  for (const one of [...repeatable, ...others()].filter(({ id }) => chosen(id))) {
    const handle = await prepared(one);
    const { again, stop } = replay();
    const times: number[] = [];
    const startedAt = performance.now();
    while (times.length < rounds && performance.now() < startedAt + enoughMs) {
      again();
      const start = performance.now();
      await handle();
      times.push(performance.now() - start);
    }
    stop();
    const ms = median(times);
    const held = isRoute.has(one.id) && !/[KM]iB/.test(one.what);
    rows.push([
      ...[one.id, one.what, round(ms * 1000, 0)],
      ...(held ? [String(warmMs * 1000), verdict(ms <= warmMs)] : ['-', '']),
    ]);
  }
  printTable(
    `Warm handler without the table, mail and secret, median of up to ${rounds}`,
    ['function', 'request', 'microseconds', 'budget', ''],
    rows,
  );
}

/** Routes without a case, which do not use the table. */
function others(): Case[] {
  const withCases = new Set(cases.map(({ id }) => id));
  return registeredRoutes()
    .filter(({ id }) => !withCases.has(id))
    .map(({ id }) => everyDay(id));
}
