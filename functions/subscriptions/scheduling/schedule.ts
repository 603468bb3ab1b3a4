import { isoTime } from '../../shared/runtime/clock.ts';
import { hourMs } from '../../shared/runtime/duration.ts';
import { env } from '../../shared/runtime/env.ts';
import { recordRun } from '../../shared/runtime/log.ts';
import type { Subscription } from '../lifecycle/subscription.ts';
import { startExecution } from './executions.ts';
import type { TimerInput } from './timer-input.ts';

/** Within it a timer waits in an execution of its own; farther ahead it waits in the table, for the sweep. */
export const horizonMs = (): number => env.timerHorizonHours() * hourMs;

/** What an execution in charge of the subscription's timer is given; undefined when nothing is waited for. */
export function timerInput(subscription: TimerInputFields): TimerInput | undefined {
  const { applicationId, externalId, subscriptionId, timer, timerVersion } = subscription;
  if (timer === undefined) return undefined;
  const ids = { applicationId, externalId, subscriptionId };
  return { ...ids, version: timerVersion, stage: timer.step, dueAt: isoTime(timer.dueAtMs) };
}

type TimerInputFields = Pick<
  Subscription,
  'applicationId' | 'externalId' | 'subscriptionId' | 'timer' | 'timerVersion'
>;

export const executionName = ({ subscriptionId, timerVersion }: TimerInputFields) =>
  `${subscriptionId}-v${timerVersion}`;

/**
 * Starts what has to follow a change that somebody asked for: its outbox, and the wait for the next step if that is near.
 *
 * What cannot be started now is not lost: the outbox and the timer are in the table, where the timers `outbox` and `sweep`
 * find them.
 */
export async function scheduleFollowUp(
  subscription: Subscription,
  { hasOutbox, nowMs }: { hasOutbox: boolean; nowMs: number },
): Promise<void> {
  const { applicationId, externalId, subscriptionId, timer, revision } = subscription;
  const isNear = timer !== undefined && timer.dueAtMs <= nowMs + horizonMs();
  const input = timerInput(subscription);
  try {
    if (isNear && input !== undefined) {
      // With a full outbox the task comes first; what it answers leads on to the wait.
      await startExecution(executionName(subscription), hasOutbox ? { ...input, stage: 'outbox' } : input);
    } else if (hasOutbox) {
      const ids = { applicationId, externalId, subscriptionId };
      const only: TimerInput = { ...ids, version: 0, stage: 'outbox' };
      await startExecution(`${subscriptionId}-outbox-${revision}`, only);
    }
  } catch (error) {
    recordRun(
      { timer: 'What follows a change of a subscription is left to the timers.', durationMs: 0 },
      error,
    );
  }
}
