/** A JSONata expression. The local stack has no functions that AWS adds to JSONata, such as `$uuid`. */
type Expression = `{% ${string} %}`;

/** Invokes a function. The result has the response of the function as its `Payload`. */
interface Task {
  Type: 'Task';
  Resource: 'arn:aws:states:::lambda:invoke';
  Arguments: { FunctionName: string; Payload: Expression };
  Output: Expression;
  Retry: [Retrier];
}

export interface Retrier {
  ErrorEquals: ['States.ALL'];
  IntervalSeconds: number;
  MaxAttempts: number;
  BackoffRate: number;
  MaxDelaySeconds: number;
  JitterStrategy?: 'FULL';
}

export type State =
  | (Task & ({ Next: string } | { End: true }))
  | { Type: 'Wait'; Timestamp: Expression; Next: string }
  | { Type: 'Choice'; Choices: { Condition: Expression; Next: string }[]; Default: string }
  | { Type: 'Succeed' };

/**
 * A state machine in the Amazon States Language with JSONata: the states and fields that the project uses. The local stack runs
 * these and no others.
 *
 * https://docs.aws.amazon.com/step-functions/latest/dg/concepts-amazon-states-language.html
 */
export interface Definition {
  Comment?: string;
  QueryLanguage: 'JSONata';
  StartAt: string;
  States: Record<string, State>;
}

/** How often a function that failed is invoked again, and the longest pause before that. */
interface Retries {
  attempts: number;
  maxSeconds: number;
}

/** It takes about half an hour. */
export const sixRetries: Retries = { attempts: 6, maxSeconds: 900 };

/**
 * The state that invokes a function with the input of the state, and has its result as the output.
 *
 * @param functionName its name or ARN.
 */
export function lambdaTask(functionName: string, { attempts, maxSeconds }: Retries): Task {
  return {
    Type: 'Task',
    Resource: 'arn:aws:states:::lambda:invoke',
    Arguments: { FunctionName: functionName, Payload: '{% $states.input %}' },
    Output: '{% $states.result.Payload %}',
    Retry: [
      {
        ErrorEquals: ['States.ALL'],
        IntervalSeconds: 5,
        BackoffRate: 3,
        MaxAttempts: attempts,
        MaxDelaySeconds: maxSeconds,
        JitterStrategy: 'FULL',
      },
    ],
  };
}
