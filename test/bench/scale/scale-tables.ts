import { dayMs, secondMs } from '../../../functions/shared/runtime/clock.ts';
import { stageSettings } from '../../../lib/deployment/stages.ts';
import { billedSeconds } from '../cost/prices.ts';
import { type Figures, requestOf } from '../figures/figures.ts';
import { grouped, type Table } from '../figures/table.ts';
import { quotas } from './quotas.ts';

const daySeconds = dayMs / secondMs;
const yearSeconds = 365 * daySeconds;
/** The busiest second of a day, as a multiple of its average. Assumed. */
const peakFactor = 3;
const { ratePerSecond } = stageSettings('prod').throttling;
const { applicationRequestsPerSecond, timerHorizonHours } = stageSettings('prod');
const maxApplicationRequestsPerSecond = 100;
const sweepSeconds = 15 * 60;

/** A resource, what one unit of the load takes of it, and how much of it there is. */
type Line = [resource: string, each: number, available: number];

/** The tables of `docs/scale.md`, by name. */
export function scaleTables(figures: Figures): Readonly<Record<string, Table>> {
  return {
    shares: sharesTable(figures),
    subscriptions: subscriptionsTable(figures),
    application: applicationTable(figures),
  };
}

/** How much of each resource a load takes, and the load that takes all of it; what breaks first comes first. */
function breaking(unit: string, load: number, lines: readonly Line[]): Table {
  const breaksAt = ([, each, available]: Line) => available / each;
  return {
    columns: ['limit', 'needed', 'available', `breaks at (${unit})`],
    rows: lines
      .toSorted((a, b) => breaksAt(a) - breaksAt(b))
      .map((line) => [
        line[0],
        grouped(line[1] * load),
        grouped(line[2]),
        grouped(Math.floor(breaksAt(line))),
      ]),
  };
}

/** Each share is created once and opened once; needs are of the busiest second. */
function sharesTable(figures: Figures): Table {
  const create = requestOf(figures, 'shares.create', 'small');
  const open = requestOf(figures, 'shares.open', 'once');
  const atPeak = (each: number) => (each * peakFactor) / daySeconds;
  return breaking('shares a day', 100_000_000, [
    ['requests per second of the stage (`throttling`)', atPeak(2), ratePerSecond],
    ['requests per second of the account, API Gateway', atPeak(2), quotas.apiRequestsPerSecond],
    [
      'concurrent executions, Lambda',
      atPeak(billedSeconds(create) + billedSeconds(open)),
      quotas.concurrentExecutions,
    ],
    [
      'write units per second of the table',
      atPeak(create.writeUnits + open.writeUnits),
      quotas.tableWriteUnits,
    ],
    [
      'read units per second of the table',
      atPeak(Math.max(create.readUnits + open.readUnits, 0.5)),
      quotas.tableReadUnits,
    ],
  ]);
}

/** Monthly ones that are paid on time, spread evenly over the year. */
function subscriptionsTable({ years }: Figures): Table {
  const year = years.find(({ what }) => what === 'monthly, paid on time');
  if (year === undefined) throw new Error('The year of a monthly subscription was not counted');
  const waiting = (year.executions * timerHorizonHours) / (365 * 24);
  const { bucket, perSecond } = quotas.startExecution;
  return breaking('subscriptions', 10_000_000, [
    ['mails a day, SES', year.mails / 365, quotas.mailsPerDay],
    ['timers that one sweep can walk over', waiting, bucket + sweepSeconds * perSecond],
    ['executions that wait at the same time', waiting, quotas.openExecutions],
    ['mails per second, SES', year.mails / yearSeconds, quotas.mailsPerSecond],
    ['starts of executions per second', year.executions / yearSeconds, perSecond],
    ['transitions per second', year.transitions / yearSeconds, quotas.stateTransition.perSecond],
    ['write units per second of the table', year.writeUnits / yearSeconds, quotas.tableWriteUnits],
    ['read units per second of the table', year.readUnits / yearSeconds, quotas.tableReadUnits],
    ['concurrent executions, Lambda', year.billedSeconds / yearSeconds, quotas.concurrentExecutions],
  ]);
}

/** `GET /subscriptions/current`, the read that applications make most. */
function applicationTable(figures: Figures): Table {
  const current = requestOf(figures, 'subscriptions.current', 'one');
  const units = (max: number) => Math.ceil((figures.limitBytes[max] ?? 0) / 1024);
  const counter = (max: number): Line => [
    `write units per second of the counter of ${max} requests a second`,
    units(max),
    quotas.partitionWriteUnits,
  ];
  return breaking('requests a second', 20_000, [
    ['requests per second of an application, as set', 1, applicationRequestsPerSecond],
    ['requests per second of an application, the highest setting', 1, maxApplicationRequestsPerSecond],
    counter(applicationRequestsPerSecond),
    counter(maxApplicationRequestsPerSecond),
    ['requests per second of the stage (`throttling`)', 1, ratePerSecond],
    ['requests per second of the account, API Gateway', 1, quotas.apiRequestsPerSecond],
    ['concurrent executions, Lambda', billedSeconds(current), quotas.concurrentExecutions],
    ['write units per second of the table', current.writeUnits, quotas.tableWriteUnits],
    ['read units per second of the table', current.readUnits, quotas.tableReadUnits],
  ]);
}
