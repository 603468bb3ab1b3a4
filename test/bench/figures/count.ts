import * as keys from '../../../functions/shared/contract/keys.ts';
import { secondMs } from '../../../functions/shared/runtime/clock.ts';
import { consume } from '../../../functions/shared/table/rate-limit.ts';
import { countCases } from '../capacity/capacity.ts';
import { storedBytes } from '../capacity/item-size.ts';
import { inOwnTable } from '../capacity/own-table.ts';
import type { Case } from '../cases/case.ts';
import { idleLines } from '../cost/idle-cost.ts';
import { idleBudgets } from '../cost/prices.ts';
import { habits, yearOf } from '../cost/year.ts';
import { round } from '../print.ts';
import type { Figures, RequestFigures } from './figures.ts';

/** Counts all figures; takes about a minute. A sample has the shortest year, and neither requests nor templates. */
export async function countFigures(isSample: boolean): Promise<Figures> {
  const years = [];
  for (const habit of habits)
    if (!isSample || habit.what === 'a trial, not paid') years.push(await countYear(habit));
  const stages = isSample ? [] : Object.keys(idleBudgets);
  return {
    requests: await countRequests(() => !isSample),
    years,
    idle: Object.fromEntries(stages.map((stage) => [stage, idleLines(stage)])),
    limitBytes: { 50: await limitBytes(50), 100: await limitBytes(100) },
  };
}

/** Counts the requests of the chosen cases. */
export async function countRequests(chosen: (one: Case) => boolean): Promise<RequestFigures[]> {
  const counted = await countCases(chosen);
  return counted.map(({ one: { id, what }, meter, bytesOut }) => ({
    id,
    what,
    roundTrips: meter.roundTrips + meter.afterMail,
    mails: meter.mails,
    starts: meter.starts,
    readUnits: round(meter.readUnits),
    writeUnits: round(meter.writeUnits),
    bytesOut: Math.ceil(bytesOut / 100) * 100,
  }));
}

async function countYear(habit: (typeof habits)[number]) {
  return inOwnTable(async () => {
    const year = await yearOf(habit);
    const stored = await storedBytes();
    const kinds = ['CLIENT', 'SUBSCRIPTION', 'INVOICE', 'PAYMENT', 'REFERENCE'];
    const bytes = kinds.reduce((sum, kind) => sum + (stored[kind] ?? 0), 0);
    const figures = Object.entries(year).map(([name, value]) => [name, round(value, 3)]);
    return { what: habit.what, ...(Object.fromEntries(figures) as typeof year), bytes };
  });
}

/** The size of the rate limit's item once an application has used its limit. */
async function limitBytes(max: number): Promise<number> {
  return inOwnTable(async () => {
    const limit = { group: 'application', max, windowMs: secondMs };
    for (let i = 0; i < max; i += 1) await consume(limit, 'app_01M8ABCDEFGHJKMNPQRSTVWXYZ', Date.now());
    return (await storedBytes())[keys.rateLimit('', '').pk.split('#', 1)[0] ?? ''] ?? 0;
  });
}
