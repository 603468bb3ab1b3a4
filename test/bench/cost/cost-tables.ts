import { registeredRoutes } from '../../../functions/routes.ts';
import { defined } from '../../../functions/shared/contract/defined.ts';
import type { Figures, RequestFigures, YearFigures } from '../figures/figures.ts';
import { grouped, type Table } from '../figures/table.ts';
import { billedSeconds, memoryGigabytes, priceList, prices } from './prices.ts';

const million = 1_000_000;
const bytesPerGigabyte = 1024 ** 3;
/** Records of the API, of the platform and of the function for one request. Assumed, not measured. */
const logBytesPerRequest = 2_000;

const dollars = (value: number) => grouped(value, 2);
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** The tables of `docs/cost.md`, by name. */
export function costTables(figures: Figures): Readonly<Record<string, Table>> {
  return {
    prices: pricesTable(),
    idle: idleTable(figures),
    requests: requestsTable(figures),
    throttles: throttlesTable(figures),
    years: yearsTable(figures),
  };
}

function pricesTable(): Table {
  const known = { page: 'yes', others: 'by others', no: 'no' } as const;
  return {
    columns: ['price of', 'dollars', 'confirmed', 'source'],
    rows: Object.values(priceList).map(({ what, dollars: price, page, confirmed }) => [
      what,
      String(Number(price.toPrecision(6)).toLocaleString('en-US', { maximumFractionDigits: 12 })),
      known[confirmed],
      `<${page}>`,
    ]),
  };
}

function idleTable({ idle }: Figures): Table {
  const stages = Object.keys(idle);
  const items = [...new Set(Object.values(idle).flatMap((lines) => lines.map(([what]) => what)))];
  const lineOf = (stage: string, item: string) => idle[stage]?.find(([what]) => what === item);
  return {
    columns: ['line item', ...stages.flatMap((stage) => [`${stage}: count`, `${stage}: dollars`])],
    rows: [
      ...items.map((item) => [
        item,
        ...stages.flatMap((stage) => [
          grouped(lineOf(stage, item)?.[1] ?? 0),
          dollars(lineOf(stage, item)?.[2] ?? 0),
        ]),
      ]),
      [
        'sum',
        ...stages.flatMap((stage) => ['', dollars(sum(idle[stage]?.map(([, , price]) => price) ?? []))]),
      ],
    ],
  };
}

/** Endpoints whose requests all cost less are one row of the table. */
const shownFrom = 20;

/** A million requests of the dear endpoints: the cheapest counted request and the dearest one; then all others together. */
function requestsTable({ requests }: Figures): Table {
  const endpoints = registeredRoutes().flatMap(({ id }) => {
    const costs = requests
      .filter((one) => one.id === id)
      .map((one) => ({ what: one.what, dollars: sum(requestDollars(one)) * million }))
      .sort((one, other) => one.dollars - other.dollars);
    const [cheapest] = costs;
    const dearest = costs.at(-1);
    return cheapest && dearest ? [{ id, cheapest, dearest }] : [];
  });
  const shown = endpoints.filter(({ dearest }) => dearest.dollars >= shownFrom);
  const others = endpoints.filter(({ dearest }) => dearest.dollars < shownFrom);
  return {
    columns: ['endpoint', 'cheapest request', 'dollars', 'dearest request', 'dollars'],
    rows: [
      ...shown.map(({ id, cheapest, dearest }) => [
        id,
        cheapest.what,
        dollars(cheapest.dollars),
        ...(cheapest === dearest ? ['', ''] : [dearest.what, dollars(dearest.dollars)]),
      ]),
      [
        `${others.length} others`,
        '',
        dollars(Math.min(...others.map(({ cheapest }) => cheapest.dollars))),
        '',
        dollars(Math.max(...others.map(({ dearest }) => dearest.dollars))),
      ],
    ],
  };
}

/** A throttled route, and the most that its counted requests cost in an hour at its throttle. */
export interface ThrottleCost {
  readonly id: string;
  readonly ratePerSecond: number;
  readonly burst: number;
  /** The dearest counted request. Absent for a route that is not counted. */
  readonly what?: string;
  readonly dollarsAnHour?: number;
}

export function throttleCosts({ requests }: Figures): ThrottleCost[] {
  return registeredRoutes().flatMap(({ id, route: { throttle } }) => {
    if (throttle === undefined) return [];
    const costs = requests
      .filter((one) => one.id === id)
      .map((one) => ({ what: one.what, each: sum(requestDollars(one)) }))
      .sort((a, b) => b.each - a.each);
    const [dearest] = costs;
    const hour = dearest && dearest.each * throttle.ratePerSecond * 3_600;
    return [{ id, ...throttle, ...defined({ what: dearest?.what, dollarsAnHour: hour }) }];
  });
}

function throttlesTable(figures: Figures): Table {
  return {
    columns: ['endpoint', 'requests a second', 'burst', 'dearest counted request', 'an hour of it'],
    rows: throttleCosts(figures).map(({ id, ratePerSecond, burst, what = '-', dollarsAnHour }) => [
      id,
      grouped(ratePerSecond),
      grouped(burst),
      what,
      dollarsAnHour === undefined ? '-' : dollars(dollarsAnHour),
    ]),
  };
}

/** The cost of one request, by service: API Gateway, Lambda, DynamoDB, SES, logs. */
export function requestDollars(one: RequestFigures): number[] {
  return [
    prices.apiCall,
    prices.invocation + billedSeconds(one) * memoryGigabytes * prices.gigabyteSecond,
    one.writeUnits * prices.writeUnit + one.readUnits * prices.readUnit,
    one.mails * prices.mail,
    (logBytesPerRequest / bytesPerGigabyte) * prices.logIngestedGigabyte,
  ];
}

function yearsTable({ years }: Figures): Table {
  return {
    columns: [
      'subscription',
      'Step Functions',
      'DynamoDB',
      'Lambda',
      'SES',
      'API Gateway',
      'storage',
      'logs',
      'sum',
    ],
    rows: years.map((year) => {
      const costs = yearDollars(year).map((cost) => cost * 1_000);
      return [year.what, ...[...costs, sum(costs)].map(dollars)];
    }),
  };
}

/** The records grow over the year, so that half of them are stored on average; the backup is as large as the table. */
function yearDollars(year: YearFigures): number[] {
  const calls = year.invocations + year.apiCalls;
  return [
    year.transitions * prices.transition,
    year.writeUnits * prices.writeUnit + year.readUnits * prices.readUnit,
    calls * prices.invocation + year.billedSeconds * memoryGigabytes * prices.gigabyteSecond,
    year.mails * prices.mail,
    year.apiCalls * prices.apiCall,
    (year.bytes / 2 / bytesPerGigabyte) * 12 * (prices.storedGigabyte + prices.backupGigabyte),
    ((calls * logBytesPerRequest) / bytesPerGigabyte) * prices.logIngestedGigabyte,
  ];
}
