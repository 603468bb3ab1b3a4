import { type Definition, lambdaTask } from './definition.ts';

/** The function that both state machines invoke, by the id it is registered under. */
export const deliveryTask = 'webhooks.attempt';

const names = {
  wait: 'Waiting for the next attempt',
  attempt: 'Attempt',
  choice: 'Is anything left',
  end: 'Done',
} as const;

/**
 * The express state machine of first attempts: one task, which is tried again when the function fails, and returns the input of
 * the next attempt. An express execution ends after five minutes. It keeps no history
 * and costs a tenth of a standard one; the deliveries themselves are in the table. What fails at the endpoint is handed over
 * to the machine of {@link laterAttempts} by the function.
 *
 * https://docs.aws.amazon.com/step-functions/latest/dg/choosing-workflow-type.html
 *
 * @param attempt ARN or name of the function.
 */
export function firstAttempts(attempt: string): Definition {
  return {
    Comment: 'Makes the first attempts of deliveries to one webhook.',
    QueryLanguage: 'JSONata',
    StartAt: names.attempt,
    States: { [names.attempt]: { ...lambdaTask(attempt, { attempts: 2, maxSeconds: 300 }), End: true } },
  };
}

/**
 * The state machine of later attempts: it waits until the next attempt of a batch of deliveries to one webhook is due, makes
 * it, and goes on for as long as deliveries remain. In the console, the name of an execution begins with the id of its
 * webhook, and its state shows what it waits for.
 *
 * A task that fails for good fails the execution. The sweep then starts another.
 *
 * @param attempt ARN or name of the function.
 */
export function laterAttempts(attempt: string): Definition {
  return {
    Comment: 'Waits for the later attempts of deliveries to one webhook, and makes them.',
    QueryLanguage: 'JSONata',
    StartAt: names.wait,
    States: {
      [names.wait]: { Type: 'Wait', Timestamp: '{% $states.input.dueAt %}', Next: names.attempt },
      [names.attempt]: { ...lambdaTask(attempt, { attempts: 4, maxSeconds: 300 }), Next: names.choice },
      [names.choice]: {
        Type: 'Choice',
        Choices: [{ Condition: '{% $count($states.input.eventIds) > 0 %}', Next: names.wait }],
        Default: names.end,
      },
      [names.end]: { Type: 'Succeed' },
    },
  };
}
