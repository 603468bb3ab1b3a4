import { type Definition, lambdaTask, sixRetries } from './definition.ts';

/** The function that the state machine invokes, by the id it is registered under. */
export const subscriptionTasks = { step: 'subscriptions.run-step' } as const;

const names = { wait: 'Waiting for the step', step: 'Take the step' } as const;

/**
 * The state machine that waits for one step of a subscription, in the Amazon States Language with JSONata; deployed and run
 * locally from here.
 *
 * The input of an execution is a `TimerInput`: it names the step, and the time until which the execution waits. A wait ends
 * with the second that `dueAt` names, at once when that has passed. The task takes the step, and starts the execution that
 * waits for the next one. A step that fails for good fails the execution; the sweep then starts another.
 *
 * Each state that an execution enters is paid for, and most of what a subscription costs beside its mails was that. So there
 * are two: no choice before the wait, and no state after the step.
 *
 * @param functions ARN or name of each function of `subscriptionTasks`.
 */
export function subscriptionTimer(
  functions: Readonly<Record<keyof typeof subscriptionTasks, string>>,
): Definition {
  return {
    Comment: 'Waits for one step of a subscription and takes it.',
    QueryLanguage: 'JSONata',
    StartAt: names.wait,
    States: {
      [names.wait]: { Type: 'Wait', Timestamp: '{% $states.input.dueAt %}', Next: names.step },
      [names.step]: { ...lambdaTask(functions.step, sixRetries), End: true },
    },
  };
}
