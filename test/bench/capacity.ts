import { registeredRoutes } from '../../functions/routes.ts';
import { client } from '../../functions/shared/table.ts';
import { type Call, call } from '../support/call.ts';
import { samples, sharePayload } from '../support/samples.ts';
import { roundTrips } from './budgets.ts';
import { printTable, round, verdict } from './print.ts';

interface Meter {
  calls: number;
  /** Waves: calls that ran side by side count once. */
  roundTrips: number;
  readUnits: number;
  writeUnits: number;
}

/** Counts at the client what `work` asks of the table, by the capacity that the table itself reports. */
async function metered(work: () => Promise<unknown>): Promise<Meter> {
  const meter: Meter = { calls: 0, roundTrips: 0, readUnits: 0, writeUnits: 0 };
  let underWay = 0;
  client.middlewareStack.add(
    (next, context) => async (args) => {
      Object.assign(args.input, { ReturnConsumedCapacity: 'TOTAL' });
      meter.calls += 1;
      if (underWay === 0) meter.roundTrips += 1;
      underWay += 1;
      try {
        const result = await next(args);
        addUnits(
          meter,
          String(context.commandName),
          (result.output as { ConsumedCapacity?: unknown }).ConsumedCapacity,
        );
        return result;
      } finally {
        underWay -= 1;
      }
    },
    { step: 'initialize', name: 'meter' },
  );
  try {
    await work();
  } finally {
    client.middlewareStack.remove('meter');
  }
  return meter;
}

function addUnits(meter: Meter, command: string, consumed: unknown): void {
  const reports = [consumed].flat().filter(Boolean) as { CapacityUnits?: number }[];
  const units = reports.reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
  if (/^(Get|Query|BatchGet)/.test(command)) meter.readUnits += units;
  else meter.writeUnits += units;
}

/** Requests worth a row of their own beside each route's sample. */
const more: [string, string, () => Call | Promise<Call>][] = [
  ['shares.create', '100 KiB', () => ({ body: blob(100) })],
  ['shares.create', '1 MiB', () => ({ body: blob(1024) })],
  ['shares.read', 'repeated', () => opened({ one_time: false })],
  ['shares.read', 'once, 100 KiB', () => opened(blob(100))],
  ['shares.read', 'repeated, 100 KiB', () => opened({ ...blob(100), one_time: false })],
  ['shares.read', 'once, 1 MiB', () => opened(blob(1024))],
  ['shares.read', 'repeated, 1 MiB', () => opened({ ...blob(1024), one_time: false })],
];

const blob = (kib: number) => ({ ...sharePayload, data_blob: Buffer.alloc(kib * 1024).toString('base64') });

async function opened(body: Record<string, unknown>): Promise<Call> {
  const created = await call('shares.create', { body: { ...sharePayload, ...body } });
  return { query: { id: created.body.shareId } };
}

/** Round trips and capacity units of each endpoint, counted. */
export async function benchCapacity(): Promise<void> {
  const cases = [
    ...registeredRoutes().map(({ id }) => [id, '', samples[id] ?? (() => ({}))] as (typeof more)[number]),
    ...more,
  ].sort(([a], [b]) => a.localeCompare(b));
  const rows = [];
  for (const [id, what, request] of cases) {
    const ready = await request();
    const meter = await metered(() => call(id, ready));
    const budget = roundTrips[id] ?? 0;
    // The budget is for what fits one item.
    const held = !what.includes('1 MiB');
    rows.push([
      ...[id, what || 'as in the README', meter.calls, meter.roundTrips],
      ...(held ? [String(budget), verdict(meter.roundTrips <= budget)] : ['-', '']),
      ...[round(meter.readUnits), round(meter.writeUnits)],
    ]);
  }
  printTable(
    'Round trips and capacity units per request (limit included)',
    ['endpoint', 'request', 'calls', 'round trips', 'budget', '', 'read units', 'write units'],
    rows,
  );
}
