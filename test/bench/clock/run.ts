/**
 * Starts a local stack with subscriptions of one kind, moves its clock by a year, and prints the measurements as JSON.
 *
 * Runs in a process of its own, because a stack changes the clock and the environment of its process:
 * `node --cpu-prof test/bench/clock/run.ts '{"trialPeriodDays":14}'`.
 */
import { performance } from 'node:perf_hooks';
import { keys } from '../../../functions/shared/contract/keys.ts';
import { ses as mail } from '../../../functions/shared/mail/mailer.ts';
import { queryItems } from '../../../functions/shared/table/table.ts';
import { startStack } from '../../../lib/local/stack.ts';
import { ask, type Request } from '../load/load.ts';
import { type ClockRun, clockDays, type Mix, subscribers } from './mixes.ts';

const [text = '{}', dataDir = ':memory:'] = process.argv.slice(2);
const mix = JSON.parse(text) as Mix;

// The stack replaces Date. This clock is unaffected.
const now = () => performance.now();
const stack = await startStack({ port: 0, dataDir, env: {}, log: () => undefined });
let mails = 0;
mail.middlewareStack.add(
  (next) => (args) => {
    mails += 1;
    return next(args);
  },
  { step: 'initialize', name: 'counted' },
);

try {
  const send = (request: Request) => ask(stack.url, request, { localAddress: '127.0.0.1' });
  const startedAt = now();
  const ids = await subscribers(send, mix);
  const createSeconds = (now() - startedAt) / 1_000;
  // Background work of the creation is not measured.
  await send({ method: 'POST', path: '/_local/clock', body: { advanceSeconds: 0 } });
  mails = 0;
  const before = now();
  const cpuBefore = process.cpuUsage();
  await send({ method: 'POST', path: '/_local/clock', body: { advanceSeconds: clockDays * 86_400 } });
  const seconds = (now() - before) / 1_000;
  const { user, system } = process.cpuUsage(cpuBefore);
  const cpuSeconds = (user + system) / 1_000_000;
  const timelines = await Promise.all(
    ids.map((id) => queryItems(keys.subscriptionPartition(id), 'TIMELINE#', Number.POSITIVE_INFINITY)),
  );
  const steps = timelines.flat().filter(({ by }) => by === 'timer').length;
  process.stdout.write(
    JSON.stringify({ createSeconds, seconds, cpuSeconds, steps, mails } satisfies ClockRun),
  );
} finally {
  await stack.stop();
}
process.exit(0);
