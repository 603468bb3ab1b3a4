import { hourMs, isoTime } from '../../shared/runtime/clock.ts';
import * as env from '../../shared/runtime/env.ts';
import { recordRun } from '../../shared/runtime/log.ts';
import type { Subscription } from '../record/subscription.ts';
import { startExecution } from './executions.ts';
import type { TimerInput } from './timer-input.ts';

/** A timer due within the horizon waits in an execution of its own; a later one waits in the table for the sweep. */
export const horizonMs = (): number => env.timerHorizonHours() * hourMs;

/** The input of the execution in charge of a subscription's timer; undefined when the subscription has no timer. */
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

/**
 * The name of an execution ends with its step, so that a list of executions shows what each subscription waits for. A version
 * has one step, so a name is used once. Step Functions allows 80 characters.
 */
export const executionName = ({ subscriptionId, version, stage }: TimerInput) =>
  `${subscriptionId}-v${version}-${stage}`;

/**
 * Starts the execution that waits for the next step of a subscription, when that is due within the horizon. A repetition
 * starts no second one.
 *
 * @throws the errors of Step Functions
 */
export async function startWait(subscription: TimerInputFields, nowMs: number): Promise<void> {
  const input = timerInput(subscription);
  if (input === undefined || Date.parse(input.dueAt) > nowMs + horizonMs()) return;
  await startExecution(executionName(input), input);
}

/**
 * The same after a change that a request has made. A failure loses nothing: the timer is in the table, where `sweep-timers`
 * finds it.
 */
export async function scheduleFollowUp(subscription: TimerInputFields, nowMs: number): Promise<void> {
  try {
    await startWait(subscription, nowMs);
  } catch (error) {
    recordRun({ timer: 'The wait for the next step is left to sweep-timers.', durationMs: 0 }, error);
  }
}
