/** The function that the state machine invokes, by the id it is registered under. */
export const subscriptionTask = 'subscriptions.run-step';

const names = { choice: 'Stage', task: 'Take the step', end: 'Done' } as const;

/** The step that is waited for, and the state that waits: the console shows by its name what a subscription waits for. */
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
 * The state machine that waits for the steps of a subscription, in the Amazon States Language with JSONata; deployed and
 * run locally from here.
 *
 * An execution starts with what to wait for and until when (`TimerInput`), and each answer of the task is the next such
 * input. A wait ends with the second that `dueAt` names, at once when that has passed. A task that fails for good fails
 * the execution; the sweep then starts another.
 *
 * https://docs.aws.amazon.com/step-functions/latest/dg/concepts-amazon-states-language.html
 *
 * @param functionName ARN or name of the function of `subscriptionTask`.
 */
export function subscriptionTimer(functionName: string): object {
  const waits = Object.entries(subscriptionWaits);
  const when = (stage: string, Next: string) => ({
    Condition: `{% $states.input.stage = '${stage}' %}`,
    Next,
  });
  return {
    Comment: 'Waits for the next step of a subscription, takes it, and goes on with the step after that.',
    QueryLanguage: 'JSONata',
    StartAt: names.choice,
    States: {
      [names.choice]: {
        Type: 'Choice',
        Choices: [...waits.map(([stage, wait]) => when(stage, wait)), when('outbox', names.task)],
        Default: names.end,
      },
      ...Object.fromEntries(
        waits.map(([, wait]) => [
          wait,
          { Type: 'Wait', Timestamp: '{% $states.input.dueAt %}', Next: names.task },
        ]),
      ),
      [names.task]: {
        Type: 'Task',
        Resource: 'arn:aws:states:::lambda:invoke',
        Arguments: {
          FunctionName: functionName,
          // How often this was tried: a step that was taken is not taken again, and mails go on where they stopped.
          Payload: "{% $merge([$states.input, { 'retry': $states.context.State.RetryCount }]) %}",
        },
        Output: '{% $states.result.Payload %}',
        Retry: retries,
        Next: names.choice,
      },
      [names.end]: { Type: 'Succeed' },
    },
  };
}

const retries = [
  {
    // What happened is written; a mail about it is not sent yet. For an hour or two; then the outbox's own timer goes on trying.
    ErrorEquals: ['OutboxNotEmpty'],
    IntervalSeconds: 60,
    BackoffRate: 2,
    MaxAttempts: 8,
    MaxDelaySeconds: 3_600,
    JitterStrategy: 'FULL',
  },
  {
    ErrorEquals: ['States.ALL'],
    IntervalSeconds: 5,
    BackoffRate: 3,
    MaxAttempts: 6,
    MaxDelaySeconds: 900,
    JitterStrategy: 'FULL',
  },
];
