/**
 * The state that invokes a function with the input of the state, and has its result as the output, in the Amazon States
 * Language with JSONata.
 *
 * https://docs.aws.amazon.com/step-functions/latest/dg/concepts-amazon-states-language.html
 *
 * @param functionName its name or ARN.
 * @param retries how often a function that failed is invoked again, and the longest pause before that.
 */
export function lambdaTask(
  functionName: string,
  { attempts, maxSeconds }: { attempts: number; maxSeconds: number },
) {
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

/** It takes about half an hour. */
export const sixRetries = { attempts: 6, maxSeconds: 900 };
