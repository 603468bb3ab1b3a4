import { SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import { limitAttempts } from '../runtime/attempt-limit.ts';
import { secondMs } from '../runtime/clock.ts';
import { limitConcurrency } from '../runtime/concurrency-limit.ts';

/** The sockets that the SDK opens at most. A batch of events starts hundreds of executions: they wait here, where a wait is no timeout. */
const maxConcurrentAttempts = 50;

/** The client of the process. A call that fails takes at most 9.2 seconds, like one to the table. */
export const sfn = limitConcurrency(
  limitAttempts(
    new SFNClient({
      maxAttempts: 3,
      requestHandler: { connectionTimeout: 500, requestTimeout: 2_000, throwOnRequestTimeout: true },
    }),
    3 * secondMs,
  ),
  maxConcurrentAttempts,
);

/**
 * Starts an execution of a state machine. While a standard execution runs, the same name and input refer to the same
 * execution. An express machine starts another one each time, and needs no name.
 * https://docs.aws.amazon.com/step-functions/latest/apireference/API_StartExecution.html
 *
 * @returns `already_exists` when an execution of that name has ended, or runs with another input. Names are
 * reserved for 90 days.
 */
export async function startExecutionOf(
  stateMachineArn: string,
  name: string | undefined,
  input: object,
): Promise<'started' | 'already_exists'> {
  try {
    await sfn.send(new StartExecutionCommand({ stateMachineArn, name, input: JSON.stringify(input) }));
    return 'started';
  } catch (error) {
    if (error instanceof Error && error.name === 'ExecutionAlreadyExists') return 'already_exists';
    throw error;
  }
}
