import { scheduled } from '../shared/lambda/scheduled.ts';
import { chunks } from '../shared/runtime/chunks.ts';
import { clock } from '../shared/runtime/clock.ts';
import { isRunning, startExecution } from './timers/executions.ts';
import { executionName, horizonMs, timerInput } from './timers/schedule.ts';
import { type DueTimer, sweepStore } from './timers/sweep-store.ts';
import { timers } from './timers.ts';

/** Concurrent starts per shard. Step Functions accepts some hundreds of starts a second. */
const concurrency = 8;

/**
 * Starts an execution for every timer that is overdue or due within the horizon. A running execution is left
 * unchanged, and one that ended without taking its step is replaced.
 */
export async function sweepTimers() {
  const counts = { started: 0, replaced: 0, failed: 0 };
  const causes: unknown[] = [];
  const untilMs = clock.nowMs() + horizonMs();
  const shards = Array.from({ length: sweepStore.shards }, async (_, shard) => {
    for await (const page of sweepStore.dueUntil(shard, untilMs)) {
      for (const some of chunks(page, concurrency)) {
        await Promise.all(
          some.map(async (timer) => {
            try {
              const outcome = await startOrReplace(timer);
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

async function startOrReplace(timer: DueTimer): Promise<'started' | 'replaced' | undefined> {
  const input = timerInput(timer);
  if (input === undefined) return undefined;
  if ((await startExecution(executionName(input), input)) === 'started') return 'started';
  // The execution waits for a later step of this timer, or has ended without taking its step.
  if (await isRunning(executionName(input))) return undefined;
  const version = await sweepStore.renew(timer);
  if (version === undefined) return undefined;
  const renewed = { ...input, version };
  await startExecution(executionName(renewed), renewed);
  return 'replaced';
}

export const handler = scheduled(timers['sweep-timers'], sweepTimers);
