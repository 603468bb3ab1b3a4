import { isoTime } from '../../shared/runtime/clock.ts';
import { hourMs } from '../../shared/runtime/duration.ts';
import { env } from '../../shared/runtime/env.ts';
import { recordRun } from '../../shared/runtime/log.ts';
import type { Subscription } from '../lifecycle/subscription.ts';
import { startExecution } from './executions.ts';
import type { TimerInput } from './timer-input.ts';

/**
 * A timer due within the horizon waits in an execution of its own; a later one waits in the table for the
 * sweep.
 */
export const horizonMs = (): number => env.timerHorizonHours() * hourMs;

/**
 * The input of the execution in charge of a subscription's timer; undefined when the subscription has no
 * timer.
 */
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
 * Starts the follow-up of a change that was made outside an execution: the delivery of its outbox, and the wait
 * for a next step within the horizon.
 *
 * A failure loses nothing: the outbox and the timer are in the table, where `drain-outbox` and `sweep-timers`
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
      // With entries in the outbox the delivery runs first. Its result leads to the wait.
      await startExecution(executionName(subscription), hasOutbox ? { ...input, stage: 'outbox' } : input);
    } else if (hasOutbox) {
      const ids = { applicationId, externalId, subscriptionId };
      await startDelivery(ids, String(revision));
    }
  } catch (error) {
    recordRun(
      { timer: 'The follow-up of a change is left to drain-outbox and sweep-timers.', durationMs: 0 },
      error,
    );
  }
}

/**
 * Starts the delivery of an outbox entry that no change of the subscription caused. A failure loses nothing: `drain-outbox`
 * finds the entry in the table.
 *
 * @param name of the delivery, unique within the subscription: letters, digits and hyphens.
 */
export async function scheduleDelivery(
  { applicationId, externalId, subscriptionId }: OutboxOwner,
  name: string,
): Promise<void> {
  try {
    await startDelivery({ applicationId, externalId, subscriptionId }, name);
  } catch (error) {
    recordRun({ timer: 'The delivery of a mail is left to drain-outbox.', durationMs: 0 }, error);
  }
}

type OutboxOwner = Pick<TimerInput, 'applicationId' | 'externalId' | 'subscriptionId'>;

async function startDelivery(owner: OutboxOwner, name: string): Promise<void> {
  const input: TimerInput = { ...owner, version: 0, stage: 'outbox' };
  await startExecution(`${owner.subscriptionId}-outbox-${name}`, input);
}
