import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ownEnvironment } from '../load/server.ts';
import { printTable, round, verdict } from '../print.ts';
import { type ClockRun, clockDays, type Mix, subscriptionCount } from './mixes.ts';

const run = promisify(execFile);
const budgetSeconds = 10;

const mixes: readonly (Mix & { what: string })[] = [
  { what: 'trials, not paid', trialPeriodDays: 14 },
  { what: 'monthly, the first month paid', trialPeriodDays: 0, paid: true },
  { what: 'by bank transfer, not paid', trialPeriodDays: 0 },
];

/** How long it takes to move the clock by more than a year over many subscriptions, each mix on a stack of its own. */
export async function benchClock(): Promise<void> {
  const rows = [];
  for (const { what, ...mix } of mixes) {
    const script = fileURLToPath(import.meta.resolve('./run.ts'));
    const { stdout } = await run(process.execPath, [script, JSON.stringify(mix)], {
      env: ownEnvironment(),
      maxBuffer: 64 * 1024 * 1024,
    });
    const { createSeconds, seconds, cpuSeconds, steps, mails } = JSON.parse(
      stdout.slice(stdout.lastIndexOf('{"')),
    ) as ClockRun;
    rows.push([
      ...[what, round(subscriptionCount / createSeconds, 0), steps, mails, round(seconds), round(cpuSeconds)],
      ...[round(steps / seconds, 0), `${budgetSeconds} s`, verdict(seconds <= budgetSeconds)],
    ]);
  }
  printTable(
    `The local clock moved by ${clockDays} days over ${subscriptionCount} subscriptions, data in memory`,
    [
      'subscriptions',
      'created a second',
      'steps',
      'mails',
      'seconds',
      'of processor',
      'steps a second',
      'budget',
      '',
    ],
    rows,
  );
}
