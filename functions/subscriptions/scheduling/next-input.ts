import { isoTime } from '../../shared/runtime/clock.ts';
import type { Subscription } from '../lifecycle/subscription.ts';
import type { TimerInput } from './timer-input.ts';

/**
 * The result of a task, which is the next input of its execution: the wait for the subscription's next step. The execution
 * ends when there is no next step, or when another execution is in charge of it.
 */
export function nextInput(
  { dueAt: _, ...input }: TimerInput,
  { timer, timerVersion }: Subscription,
): TimerInput {
  if (timer === undefined || timerVersion !== input.version) return { ...input, stage: 'end' };
  return { ...input, stage: timer.step, dueAt: isoTime(timer.dueAtMs) };
}
