/** npm run test:calendar: runs the suite at another date and in another zone. See docs/testing.md. */
import { spawnSync } from 'node:child_process';
import { environmentAt, type Moment, momentOf } from './moment.ts';

const usage = `Usage: npm run test:calendar [-- <ISO date> [<zone> [<arguments of vitest run> ...]]]
Without a date, both are drawn at random.`;

const [date, zone, ...vitestArguments] = process.argv.slice(2);
if (date === '--help' || date === '-h') {
  process.stdout.write(`${usage}\n`);
  process.exit();
}

function momentOrUsage(): Moment {
  try {
    return momentOf(
      [date, zone].filter((text) => text !== undefined),
      Date.now(),
    );
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n${usage}\n`);
    process.exit(2);
  }
}

const moment = momentOrUsage();
const startTime = new Date(moment.startMs).toISOString();
process.stdout.write(`The suite starts at ${startTime}, ${new Date(moment.startMs).toLocaleString('en-GB', { timeZone: moment.zone })} in ${moment.zone}. Again:
npm run test:calendar -- ${startTime} ${moment.zone}\n`);
const { status } = spawnSync('npx', ['vitest', 'run', ...vitestArguments], {
  stdio: 'inherit',
  env: { ...process.env, ...environmentAt(moment, Date.now()) },
});
process.exitCode = status ?? 1;
