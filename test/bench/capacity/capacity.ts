import { afterMail, roundTripsOf } from '../budgets.ts';
import { cases } from '../cases/all.ts';
import type { Case } from '../cases/case.ts';
import { prepared } from '../cases/prepare.ts';
import { printTable, round, verdict } from '../print.ts';
import { type Meter, metered } from './meter.ts';
import { inOwnTable } from './own-table.ts';

/** The counted requests of a case. */
export interface Counted {
  readonly one: Case;
  readonly meter: Meter;
  /** Bytes of the body of the response. */
  readonly bytesOut: number;
}

/** Counts the requests of each case. */
export async function countCases(chosen: (one: Case) => boolean): Promise<Counted[]> {
  await warmUp();
  const counted: Counted[] = [];
  for (const one of cases.filter(chosen)) {
    let bytesOut = 0;
    const metering = async () => {
      const send = await prepared(one);
      return metered(async () => {
        bytesOut = Buffer.byteLength(await send());
      });
    };
    const meter = await (one.alone ? inOwnTable(metering) : metering());
    counted.push({ one, meter, bytesOut });
  }
  return counted;
}

/** Prints round trips and capacity units of each endpoint and timer. */
export async function benchCapacity(chosen: (id: string) => boolean): Promise<void> {
  const rows = [];
  const differing: string[] = [];
  for (const { one, meter } of await countCases(({ id }) => chosen(id))) {
    const { id, what } = one;
    const { calls, mails, starts, readUnits, writeUnits, reportedWriteUnits } = meter;
    rows.push([
      ...[id, what, calls, meter.roundTrips, meter.afterMail, ...budgetCells(one, meter)],
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
      '  Write units follow the documentation of AWS, from the sizes of the items before and after: one per KB, two in a',
      '  transaction, and one per KB that the write changes in an index. The functions have cached all secrets except',
      `  "new secret". The engine reports the same except for ${differing.length} rows:`,
      ...differing.map((line) => `    ${line}`),
      '  It does not report a write whose condition failed, which costs as much as the existing item.\n',
    ].join('\n'),
  );
}

/** The first call of a process also requests the deployment key, which is not counted here. */
async function warmUp(): Promise<void> {
  for (const id of ['devices.code-send', 'vault.read']) {
    const one = cases.find((candidate) => candidate.id === id);
    if (one !== undefined) await (await prepared(one))();
  }
}

/** Compares with the budget, which applies to what fits one item. */
function budgetCells({ id, what }: Case, meter: Meter): [budget: string, verdict: string] {
  const budget = roundTripsOf(id, what);
  if (what.includes('MiB') || budget === undefined) return ['-', ''];
  const after = afterMail[`${id} ${what}`] ?? 0;
  const good = meter.roundTrips <= budget && meter.afterMail <= after;
  return [after > 0 ? `${budget} + ${after}` : String(budget), verdict(good)];
}
