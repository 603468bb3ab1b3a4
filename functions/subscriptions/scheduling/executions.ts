import { DescribeExecutionCommand, SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import { limitAttempts } from '../../shared/runtime/attempt-limit.ts';
import { secondMs } from '../../shared/runtime/duration.ts';
import { env } from '../../shared/runtime/env.ts';

/** The client of the process. A call that fails takes at most 9.2 seconds, like one to the table. */
export const sfn = limitAttempts(
  new SFNClient({
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 500, requestTimeout: 2_000, throwOnRequestTimeout: true },
  }),
  3 * secondMs,
);

/**
 * Starts an execution of the timer state machine. While it runs, the same name and input refer to the same
 * execution.
 * https://docs.aws.amazon.com/step-functions/latest/apireference/API_StartExecution.html
 *
 * @returns `already_exists` when an execution of that name has ended, or runs with another input. Names are
 * reserved for 90 days.
 */
export async function startExecution(name: string, input: object): Promise<'started' | 'already_exists'> {
  try {
    const stateMachineArn = env.timerStateMachine();
    await sfn.send(new StartExecutionCommand({ stateMachineArn, name, input: JSON.stringify(input) }));
    return 'started';
  } catch (error) {
    if (error instanceof Error && error.name === 'ExecutionAlreadyExists') return 'already_exists';
    throw error;
  }
}

/** Whether an execution of that name is running; false when it was never started. */
export async function isRunning(name: string): Promise<boolean> {
  const executionArn = `${env.timerStateMachine().replace(':stateMachine:', ':execution:')}:${name}`;
  try {
    const { status } = await sfn.send(new DescribeExecutionCommand({ executionArn }));
    return status === 'RUNNING';
  } catch (error) {
    if (error instanceof Error && error.name === 'ExecutionDoesNotExist') return false;
    throw error;
  }
}
