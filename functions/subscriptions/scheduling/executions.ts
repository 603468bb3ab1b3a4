import { DescribeExecutionCommand, SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import { env } from '../../shared/runtime/env.ts';

/** One for the life of the process. */
export const client = new SFNClient({
  maxAttempts: 3,
  requestHandler: { connectionTimeout: 500, requestTimeout: 2_000, throwOnRequestTimeout: true },
});

/**
 * Starts an execution of the state machine of timers. The same name and input again, while it runs, is the same execution.
 * https://docs.aws.amazon.com/step-functions/latest/apireference/API_StartExecution.html
 *
 * @returns 'taken' when an execution of that name has ended already, or runs with another input: its name is taken for 90 days.
 */
export async function startExecution(name: string, input: object): Promise<'started' | 'taken'> {
  try {
    const stateMachineArn = env.timerStateMachine();
    await client.send(new StartExecutionCommand({ stateMachineArn, name, input: JSON.stringify(input) }));
    return 'started';
  } catch (error) {
    if (error instanceof Error && error.name === 'ExecutionAlreadyExists') return 'taken';
    throw error;
  }
}

/** Whether the execution of that name runs; one that there never was does not. */
export async function isRunning(name: string): Promise<boolean> {
  const executionArn = `${env.timerStateMachine().replace(':stateMachine:', ':execution:')}:${name}`;
  try {
    const { status } = await client.send(new DescribeExecutionCommand({ executionArn }));
    return status === 'RUNNING';
  } catch (error) {
    if (error instanceof Error && error.name === 'ExecutionDoesNotExist') return false;
    throw error;
  }
}
