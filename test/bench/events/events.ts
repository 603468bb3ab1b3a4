import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { eventWrites } from '../../../functions/shared/events/events-write.ts';
import { newId } from '../../../functions/shared/runtime/ids.ts';
import { transactWrite } from '../../../functions/shared/table/table.ts';
import { newDelivery } from '../../../functions/webhooks/deliveries/delivery.ts';
import { deliveryStore } from '../../../functions/webhooks/deliveries/store.ts';
import { eventListStore, groupsOfPart } from '../../../functions/webhooks/events/list-store.ts';
import { eventStore } from '../../../functions/webhooks/events/store.ts';
import { recordEvents } from '../../support/webhooks/events.ts';
import { metered } from '../capacity/meter.ts';
import { memoryGigabytes, prices } from '../cost/prices.ts';
import { ownEnvironment } from '../load/server.ts';
import { printTable, round, verdict } from '../print.ts';
import type { EventsPlan, EventsRun } from './plan.ts';

const run = promisify(execFile);

/** From the commit to the delivery, on this machine, while nothing else happens. */
const p99BudgetMs = 2_000;
/** What one event of a change adds to its transaction, for an object of 1 KB: the item twice, and its place in the index. */
const commandUnitsBudget = 6;
/** Its number in the list, twice because of the transaction, its place in the index, and its part of the list. */
const listUnitsBudget = 7;
/** The delivery and its place in the index, each written and noted. */
const deliveryUnitsBudget = 4;

const plans: readonly (EventsPlan & { what: string; isLoad: boolean })[] = [
  {
    what: '200, 20 a second',
    isLoad: false,
    applications: 1,
    endpoints: 1,
    dead: 0,
    eventsOfApplication: 200,
    perSecond: 20,
  },
  { what: '1,000 at once', isLoad: true, applications: 1, endpoints: 1, dead: 0, eventsOfApplication: 1_000 },
  // 200 events of each application, each to the one endpoint of the application.
  {
    what: '10,000 to 50 endpoints, 5 dead',
    isLoad: true,
    applications: 50,
    endpoints: 50,
    dead: 5,
    eventsOfApplication: 200,
  },
];

/** How fast events are handed on and delivered on this machine, and the write units that they cost. */
export async function benchEvents(): Promise<void> {
  await printUnits();
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
}

/** What a million events of 1 KB may cost without a webhook, and with one that takes each of them, in US dollars. */
const dollarBudgets = { none: 9, one: 18 };

/** How long an endpoint takes to answer. Assumed. */
const answerSeconds = 0.2;
/** The most deliveries of an execution, and the most events of a fan-out, when they come as fast. */
const batches = { deliveries: 25, events: 100 };

/** The units of one event with an object of 1 KB, as AWS documents them, and what a million of them cost. */
async function printUnits(): Promise<void> {
  const applicationId = newId('app', Date.now());
  const nowMs = Date.now();
  const event = { type: 'payment.received', sequence: 1, data: { text: 'x'.repeat(1_000) } };
  const command = await metered(() => transactWrite(eventWrites({ applicationId, nowMs }, [event])));
  const types = Array.from({ length: groupsOfPart }, () => ['payment.received']);
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
  const ids = {
    applicationId,
    webhookId: newId('whk', nowMs),
    eventId: newId('evt', nowMs),
    type: event.type,
  };
  const delivery = newDelivery(ids, { createdAtMs: nowMs, nowMs });
  const created = await metered(() => deliveryStore.create(delivery, nowMs));
  const made = { atMs: nowMs, durationMs: 200, status: 204 };
  const noted = await metered(() => deliveryStore.note(delivery, made, { status: 'succeeded' }));
  const listed = listing.writeUnits / groupsOfPart;
  const delivered = created.writeUnits + noted.writeUnits;
  printTable(
    'Write units of an event of 1 KB',
    ['step', 'units', 'budget', ''],
    [
      ['in the transaction of its change', command.writeUnits, commandUnitsBudget],
      ['listed, 20 at once', listed, listUnitsBudget],
      ['delivered to one webhook', delivered, deliveryUnitsBudget],
    ].map(([step = '', units = 0, budget = 0]) => [
      ...[step, round(Number(units)), budget],
      verdict(Number(units) <= Number(budget)),
    ]),
  );
  const events = (command.writeUnits + listed) * prices.writeUnit + 2 * prices.readUnit;
  const fanOut = (count: number) => lambda(0.05 / count, 1 / count);
  const sending = (count: number) =>
    delivered * prices.writeUnit +
    // The event and the delivery; the webhook and its secrets.
    (2 + 2 / count) * prices.readUnit +
    (prices.expressExecution + 0.3 * (64 / 1_024) * prices.expressGigabyteSecond) / count +
    lambda((answerSeconds + 0.05) / count, 1 / count);
  const million = (one: number) => round(one * 1_000_000, 2);
  const none = million(events + fanOut(1));
  const one = million(events + fanOut(1) + sending(1));
  printTable(
    'A million events of 1 KB, US dollars; an endpoint answers in 0.2 s (assumed)',
    ['webhooks', 'each on its own', 'in full batches', 'budget', ''],
    [
      ['none', none, million(events + fanOut(batches.events)), dollarBudgets.none],
      [
        ...['one', one, million(events + fanOut(batches.events) + sending(batches.deliveries))],
        dollarBudgets.one,
      ],
    ].map((row) => [...row, verdict(Number(row[1]) <= Number(row.at(-1)))]),
  );
}

/** What invocations of a function cost. */
function lambda(seconds: number, invocations: number): number {
  return invocations * prices.invocation + seconds * memoryGigabytes * prices.gigabyteSecond;
}
