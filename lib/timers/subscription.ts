/** The functions that the state machine invokes, by the ids they are registered under. */
export const subscriptionTasks = {
  step: 'subscriptions.run-step',
  delivery: 'subscriptions.deliver-outbox',
} as const;

const names = {
  choice: 'Stage',
  step: 'Take the step',
  delivery: 'Deliver the outbox',
  end: 'Done',
} as const;

/** The wait for each step. In the console, the name of the state shows what a subscription waits for. */
export const subscriptionWaits: Readonly<Record<string, string>> = {
  trial_reminder: 'Waiting for the trial reminder',
  trial_end: 'Waiting for the end of the trial',
  payment_lapse: 'Waiting for the first payment',
  renewal_invoice: 'Waiting to send the renewal invoice',
  term_end: 'Waiting for the end of the term',
  dunning_reminder: 'Waiting for a dunning reminder',
  dunning_end: 'Waiting for the end of dunning',
  resume: 'Waiting to resume',
};

/**
 * The state machine that waits for the steps of a subscription, in the Amazon States Language with JSONata; deployed
 * and run locally from here.
 *
 * An execution starts with a `TimerInput`: the stage, and the time until which it waits. Each task returns the next
 * input. A step that leaves entries in the outbox leads to their delivery, and the delivery leads back to the wait. A
 * wait ends with the second that `dueAt` names, at once when that has passed.
 *
 * A step that fails for good fails the execution; the sweep then starts another. A delivery that fails for good does
 * not: the execution continues to wait, and the timer `drain-outbox` delivers the remaining entries.
 *
 * https://docs.aws.amazon.com/step-functions/latest/dg/concepts-amazon-states-language.html
 *
 * @param functions ARNs or names of the functions of `subscriptionTasks`.
 */
export function subscriptionTimer(
  functions: Readonly<Record<keyof typeof subscriptionTasks, string>>,
): object {
  const waits = Object.entries(subscriptionWaits);
  const when = (stage: string, Next: string) => ({
    Condition: `{% $states.input.stage = '${stage}' %}`,
    Next,
  });
  return {
    Comment:
      'Waits for the next step of a subscription, takes it, delivers its mails, and waits for the step after it.',
    QueryLanguage: 'JSONata',
    StartAt: names.choice,
    States: {
      [names.choice]: {
        Type: 'Choice',
        Choices: [...waits.map(([stage, wait]) => when(stage, wait)), when('outbox', names.delivery)],
        Default: names.end,
      },
      ...Object.fromEntries(
        waits.map(([, wait]) => [
          wait,
          { Type: 'Wait', Timestamp: '{% $states.input.dueAt %}', Next: names.step },
        ]),
      ),
      [names.step]: { ...invocation(functions.step), Retry: [otherRetries(6)] },
      [names.delivery]: {
        ...invocation(functions.delivery),
        Retry: [mailRetries, otherRetries(3)],
        // The step task determines the next wait. It does not lead back here unless it takes a step.
        Catch: [{ ErrorEquals: ['States.ALL'], Output: '{% $states.input %}', Next: names.step }],
      },
      [names.end]: { Type: 'Succeed' },
    },
  };
}

function invocation(functionName: string) {
  return {
    Type: 'Task',
    Resource: 'arn:aws:states:::lambda:invoke',
    Arguments: {
      FunctionName: functionName,
      // The number of earlier attempts: a step that was taken is not taken again.
      Payload: "{% $merge([$states.input, { 'retry': $states.context.State.RetryCount }]) %}",
    },
    Output: '{% $states.result.Payload %}',
    Next: names.choice,
  };
}

/** A mail that could not be sent is tried again for up to three hours. The longest delay is known to `deliver-outbox`. */
const mailRetries = {
  ErrorEquals: ['OutboxNotEmpty'],
  IntervalSeconds: 60,
  BackoffRate: 2,
  MaxAttempts: 8,
  MaxDelaySeconds: 3_600,
  JitterStrategy: 'FULL',
};

/** @param attempts three take about a minute, six about half an hour. */
const otherRetries = (attempts: number) => ({
  ErrorEquals: ['States.ALL'],
  IntervalSeconds: 5,
  BackoffRate: 3,
  MaxAttempts: attempts,
  MaxDelaySeconds: 900,
  JitterStrategy: 'FULL',
});
