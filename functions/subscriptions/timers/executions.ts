import { DescribeExecutionCommand } from '@aws-sdk/client-sfn';
import { sfn, startExecutionOf } from '../../shared/lambda/executions.ts';
import * as env from '../../shared/runtime/env.ts';

export function startExecution(name: string, input: object): Promise<'started' | 'already_exists'> {
  return startExecutionOf(env.timerStateMachine(), name, input);
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
