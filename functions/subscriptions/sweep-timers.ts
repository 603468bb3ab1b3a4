import { scheduled } from '../shared/lambda/scheduled.ts';
import { nowMs } from '../shared/runtime/clock.ts';
import { isRunning, startExecution } from './scheduling/executions.ts';
import { executionName, horizonMs, timerInput } from './scheduling/schedule.ts';
import { sweepStore, type Waiting } from './scheduling/sweep-store.ts';
import { timers } from './timers.ts';

const sweepDeps = () => ({ waiting: sweepStore, startExecution, isRunning, nowMs });
type SweepDeps = ReturnType<typeof sweepDeps>;

/** Started at a time, of each shard; Step Functions takes some hundreds a second. */
const concurrency = 8;

/**
 * Starts an execution for every timer that is due soon and has none, and for every one that was lost: overdue ones included. To
 * start one that runs changes nothing; one that has ended without its step gets a successor.
 */
export async function sweepTimers({ waiting, ...deps }: SweepDeps) {
  const counts = { armed: 0, repaired: 0, failed: 0 };
  const causes: unknown[] = [];
  const untilMs = deps.nowMs() + horizonMs();
  const shards = Array.from({ length: waiting.shards }, async (_, shard) => {
    for await (const page of waiting.dueUntil(shard, untilMs)) {
      for (let i = 0; i < page.length; i += concurrency) {
        await Promise.all(
          page.slice(i, i + concurrency).map(async (timer) => {
            try {
              const outcome = await startOrRepair(timer, { waiting, ...deps });
              if (outcome !== undefined) counts[outcome] += 1;
            } catch (error) {
              counts.failed += 1;
              causes.push(error);
            }
          }),
        );
      }
    }
  });
  await Promise.all(shards);
  return { counts, cause: causes[0] };
}

async function startOrRepair(timer: Waiting, deps: SweepDeps): Promise<'armed' | 'repaired' | undefined> {
  const input = timerInput(timer);
  if (input === undefined) return undefined;
  if ((await deps.startExecution(executionName(timer), input)) === 'started') return 'armed';
  // Its name is taken: it waits for a later step of this timer, or it came to an end without its step.
  if (await deps.isRunning(executionName(timer))) return undefined;
  const version = await deps.waiting.renew(timer);
  if (version === undefined) return undefined;
  const renewed = { ...timer, timerVersion: version };
  await deps.startExecution(executionName(renewed), { ...input, version });
  return 'repaired';
}

export const handler = scheduled(timers['sweep-timers'], sweepTimers, sweepDeps);
