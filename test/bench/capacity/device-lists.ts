import { performance } from 'node:perf_hooks';
import { newAccount } from '../../support/devices/accounts.ts';
import { roundTrips } from '../budgets.ts';
import { manyDevices } from '../cases/all.ts';
import { prepared } from '../cases/prepare.ts';
import { median, printTable, round, verdict } from '../print.ts';
import { metered } from './meter.ts';

const rounds = 300;

/** How the cost of the device list grows with its length. The time includes the engine. */
export async function benchLists(): Promise<void> {
  const budget = roundTrips['devices.list'] ?? 0;
  const rows = [];
  for (const count of [1, 10, 50, 100]) {
    const { userId } = newAccount();
    await manyDevices(userId, count);
    const list = await prepared({
      id: 'devices.list',
      what: `${count} devices`,
      status: 200,
      ready: () => ({ query: { userId } }),
    });
    const meter = await metered(list);
    const bytes = Buffer.byteLength(await list());
    const times: number[] = [];
    for (let i = 0; i < rounds; i += 1) {
      const start = performance.now();
      await list();
      times.push(performance.now() - start);
    }
    rows.push([
      ...[count, meter.roundTrips, budget, verdict(meter.roundTrips <= budget)],
      ...[round(meter.readUnits), bytes, round(median(times), 2)],
    ]);
  }
  printTable(
    `GET /api/devices as the list grows, median of ${rounds}`,
    ['devices', 'trips', 'budget', '', 'read units', 'bytes of response', 'ms with the engine'],
    rows,
  );
}
