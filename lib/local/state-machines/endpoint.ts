import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import * as z from 'zod/mini';
import { secondMs } from '../../../functions/shared/runtime/clock.ts';
import { awsJsonEndpoint, operation, ServiceError } from '../aws-json.ts';
import { parseJson } from '../http/body.ts';
import type { Execution } from './executions.ts';
import type { StateMachines } from './state-machines.ts';

const Start = z.object({
  stateMachineArn: z.string(),
  name: z._default(z.string(), randomUUID),
  input: z._default(z.string(), '{}'),
});
const Describe = z.object({ executionArn: z.string() });

/** No versions, aliases or map runs. */
const machinePattern = /^arn:aws[a-z-]*:states:[a-z0-9-]+:\d{12}:stateMachine:[^:/\s]{1,80}$/;
const executionPattern = /^arn:aws[a-z-]*:states:[a-z0-9-]+:\d{12}:execution:[^:/\s]{1,80}:[^:/\s]{1,80}$/;
/** The names that the functions make are of these characters. AWS takes others too. */
const namePattern = /^[\w.-]{1,80}$/;

/**
 * The local endpoint of the Step Functions API, with the operations that the functions use; `AWS_ENDPOINT_URL_SFN` points an
 * SDK to it.
 *
 * @see https://docs.aws.amazon.com/step-functions/latest/apireference/Welcome.html
 */
export function stateMachinesEndpoint(machines: StateMachines): RequestListener {
  return awsJsonEndpoint({
    StartExecution: operation(Start, ({ stateMachineArn: machineArn, name, input: inputText }) => {
      checkArn(machinePattern, machineArn);
      if (!namePattern.test(name)) throw new ServiceError('InvalidName', `Invalid Name: '${name}'`);
      if (parseJson(inputText) === undefined)
        throw new ServiceError(
          'InvalidExecutionInput',
          'Invalid State Machine Execution Input: it is not JSON',
        );
      const arn = `${machineArn.replace(':stateMachine:', ':execution:')}:${name}`;
      const known = machines.find(arn);
      // While it is running, the same name and input refer to the same execution.
      if (known?.ending.status === 'RUNNING' && known.inputText === inputText) return startOf(known);
      if (known !== undefined)
        throw new ServiceError('ExecutionAlreadyExists', `Execution Already Exists: '${arn}'`);
      const started = machines.start({ arn, machineArn, name, inputText });
      if (started !== undefined) return startOf(started);
      throw new ServiceError('StateMachineDoesNotExist', `State Machine Does Not Exist: '${machineArn}'`);
    }),
    DescribeExecution: operation(Describe, ({ executionArn }) => {
      checkArn(executionPattern, executionArn);
      const execution = machines.find(executionArn);
      if (execution === undefined)
        throw new ServiceError('ExecutionDoesNotExist', `Execution Does Not Exist: '${executionArn}'`);
      const { machineArn, name, inputText: input, ending } = execution;
      const stopDate = ending.status === 'RUNNING' ? undefined : ending.stopMs / secondMs;
      return { ...startOf(execution), stateMachineArn: machineArn, name, input, stopDate, ...ending };
    }),
  });
}

/** Dates travel as epoch seconds, with milliseconds as the fraction. */
const startOf = ({ arn, startMs }: Execution) => ({ executionArn: arn, startDate: startMs / secondMs });

function checkArn(pattern: RegExp, arn: string): void {
  if (!pattern.test(arn)) throw new ServiceError('InvalidArn', `Invalid Arn: '${arn}'`);
}
