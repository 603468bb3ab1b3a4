import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { eventWrites } from '../../../functions/shared/events/events-write.ts';
import { newId } from '../../../functions/shared/runtime/ids.ts';
import { transactWrite } from '../../../functions/shared/table/table.ts';
import { eventListStore, groupsOfPart } from '../../../functions/webhooks/events/list-store.ts';
import { eventStore } from '../../../functions/webhooks/events/store.ts';
import { recordEvents } from '../../support/webhooks/events.ts';
import { metered } from '../capacity/meter.ts';
import { ownEnvironment } from '../load/server.ts';
import { printTable, round, verdict } from '../print.ts';
import type { EventsPlan, EventsRun } from './plan.ts';

const run = promisify(execFile);

/** From the commit to the delivery, on this machine, while nothing else happens. */
const p99BudgetMs = 2_000;
/** What one event of a change adds to its transaction, for an object of 1 KB: the item twice, and its place in the index. */
const commandUnitsBudget = 6;

const plans: readonly (EventsPlan & { what: string; isLoad: boolean })[] = [
  { what: '20 at once', isLoad: false, applications: 1, endpoints: 1, dead: 0, eventsOfApplication: 20 },
  { what: '2,000 events', isLoad: true, applications: 1, endpoints: 1, dead: 0, eventsOfApplication: 2_000 },
  // 200 events of each application, each to ten endpoints: 10,000 deliveries.
  {
    what: '10,000 to 50, 5 dead',
    isLoad: true,
    applications: 5,
    endpoints: 50,
    dead: 5,
    eventsOfApplication: 200,
  },
];

/** How fast events are handed on and delivered on this machine, and the write units that they cost. */
export async function benchEvents(): Promise<void> {
  const rows = [];
  for (const { what, isLoad, ...plan } of plans) {
    const script = fileURLToPath(import.meta.resolve('./run.ts'));
    const { stdout } = await run(process.execPath, [script, JSON.stringify(plan)], { env: ownEnvironment() });
    const result = JSON.parse(stdout.slice(stdout.lastIndexOf('{'))) as EventsRun;
    const { delivered, expected, writeSeconds, seconds, p50Ms, p99Ms } = result;
    const isGood = delivered === expected && (isLoad || p99Ms <= p99BudgetMs);
    rows.push([
      ...[what, delivered, expected, round(writeSeconds), round(seconds), round(delivered / seconds, 0)],
      ...[round(p50Ms, 0), round(p99Ms, 0), isLoad ? 'all' : `all, p99 ${p99BudgetMs} ms`, verdict(isGood)],
    ]);
  }
  printTable(
    'Events through the stream of the local stack to webhooks',
    ['events', 'delivered', 'of', 's to write', 's to all', 'a second', 'p50 ms', 'p99 ms', 'budget', ''],
    rows,
  );
  await printUnits();
}

/** The write units of one event with an object of 1 KB, as AWS documents them. */
async function printUnits(): Promise<void> {
  const applicationId = newId('app', Date.now());
  const event = { type: 'link.verified', sequence: 1, data: { text: 'x'.repeat(1_000) } };
  const command = await metered(() =>
    transactWrite(eventWrites({ applicationId, nowMs: Date.now() }, [event])),
  );
  const types = Array.from({ length: groupsOfPart }, () => ['link.verified']);
  const groups = await Promise.all(
    types.map((one) => recordEvents(applicationId, one, { data: event.data })),
  );
  const listing = await metered(async () =>
    eventListStore.append(
      applicationId,
      await eventStore.get(groups.map(({ groupId }) => groupId)),
      Date.now(),
    ),
  );
  const listUnits = listing.writeUnits / groupsOfPart;
  printTable(
    'Write units of an event of 1 KB',
    ['step', 'units', 'budget', ''],
    [
      [
        'in the transaction of its change',
        round(command.writeUnits),
        commandUnitsBudget,
        verdict(command.writeUnits <= commandUnitsBudget),
      ],
      ['listed, 20 at once', round(listUnits), '', ''],
    ],
  );
}
