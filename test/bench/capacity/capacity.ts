import { afterMail, roundTrips } from '../budgets.ts';
import { cases } from '../cases/all.ts';
import type { Case } from '../cases/case.ts';
import { prepared } from '../cases/prepare.ts';
import { printTable, round, verdict } from '../print.ts';
import { type Meter, metered } from './meter.ts';
import { inOwnTable } from './own-table.ts';

/** Round trips and capacity units of each endpoint and timer, counted. */
export async function benchCapacity(chosen: (id: string) => boolean): Promise<void> {
  await warmUp();
  const rows = [];
  const differing: string[] = [];
  for (const one of cases.filter(({ id }) => chosen(id))) {
    const { id, what } = one;
    const metering = async () => metered(await prepared(one));
    const meter = await (one.alone ? inOwnTable(metering) : metering());
    const { calls, mails, starts, readUnits, writeUnits, reportedWriteUnits } = meter;
    rows.push([
      ...[id, what, calls, meter.roundTrips, meter.afterMail, ...held(one, meter)],
      ...[mails, starts, round(readUnits), round(writeUnits)],
    ]);
    if (writeUnits !== reportedWriteUnits) differing.push(`${id} (${what}): ${reportedWriteUnits}`);
  }
  printTable(
    'Round trips to the table and capacity units per request (limit included)',
    [
      'endpoint',
      'request',
      'calls',
      'trips',
      'after mail',
      'budget',
      '',
      'mails',
      'executions',
      'read units',
      'write units',
    ],
    rows,
  );
  process.stdout.write(
    [
      '  Write units are those that AWS documents, from the sizes of the items before and after: one per KB, two in a',
      '  transaction, and one per KB that the write changes in an index. Secrets are known to the functions, but for',
      `  "new secret". The engine reports the same but for ${differing.length} rows:`,
      ...differing.map((line) => `    ${line}`),
      '  It says nothing of a write that is refused for its condition, which costs as much as the item there.\n',
    ].join('\n'),
  );
}

/** The first call of a process also asks for the deployment's key, which is not what is counted here. */
async function warmUp(): Promise<void> {
  for (const id of ['devices.code-send', 'vault.read']) {
    const one = cases.find((candidate) => candidate.id === id);
    if (one !== undefined) await (await prepared(one))();
  }
}

/** The budget is for what fits one item. */
function held({ id, what }: Case, meter: Meter): [budget: string, verdict: string] {
  const budget = roundTrips[`${id} ${what}`] ?? roundTrips[id];
  if (what.includes('MiB') || budget === undefined) return ['-', ''];
  const after = afterMail[`${id} ${what}`] ?? 0;
  const good = meter.roundTrips <= budget && meter.afterMail <= after;
  return [after > 0 ? `${budget} + ${after}` : String(budget), verdict(good)];
}
