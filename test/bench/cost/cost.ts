import { inOwnTable } from '../capacity/own-table.ts';
import { printTable, round } from '../print.ts';
import { memoryGigabytes, prices } from './prices.ts';
import { type Habit, type Year, yearOf } from './year.ts';

/** The kinds of subscriptions that are counted. */
export const habits: readonly Habit[] = [
  { what: 'monthly, paid on time', paysAfterDays: -5 },
  { what: 'monthly, paid 3 days late', paysAfterDays: 3 },
  { what: 'annual, paid on time', billingCycle: 'annual', paysAfterDays: -5 },
  { what: 'a trial, not paid', trialPeriodDays: 14 },
  { what: 'by bank transfer, not paid' },
];

/** The cost of subscriptions in a deployment, counted over a year of each kind. */
export async function benchCost(): Promise<void> {
  const years: [string, Year][] = [];
  for (const habit of habits) years.push([habit.what, await inOwnTable(() => yearOf(habit))]);
  printTable(
    'A year of one subscription, from its creation on: horizon of 48 hours, a sweep every 6',
    [
      ...['subscription', 'transitions', 'executions', 'steps invoked', 'API calls'],
      ...['write units', 'read units', 'mails', 'billed s (assumed)'],
    ],
    years.map(([what, year]) => [
      ...[what, year.transitions, year.executions, year.invocations, year.apiCalls],
      ...[round(year.writeUnits), round(year.readUnits), year.mails, round(year.billedSeconds, 2)],
    ]),
  );
  printTable(
    'A year of a million of them, US dollars at list prices of eu-west-1',
    ['subscription', 'Step Functions', 'DynamoDB', 'Lambda', 'SES', 'API Gateway', 'sum'],
    years.map(([what, year]) => {
      const of = dollars(year);
      return [what, ...Object.values(of), Object.values(of).reduce((sum, one) => sum + one, 0)];
    }),
  );
  process.stdout.write(
    [
      '  Storage, logs, traces, alarms, attachments by the GB, data transfer and reads by applications (GET current) are not included.',
      '  Lambda bills waiting time: seconds are assumed by what the function waits for (prices.ts).\n',
    ].join('\n'),
  );
}

/** The cost of a million subscriptions. */
function dollars(year: Year): Record<string, number> {
  const million = (one: number) => Math.round(one * 1_000_000);
  const lambda = (year.invocations + year.apiCalls) * prices.invocation;
  return {
    stepFunctions: million(year.transitions * prices.transition),
    dynamodb: million(year.writeUnits * prices.writeUnit + year.readUnits * prices.readUnit),
    lambda: million(lambda + year.billedSeconds * memoryGigabytes * prices.gigabyteSecond),
    ses: million(year.mails * prices.mail),
    api: million(year.apiCalls * prices.apiCall),
  };
}
