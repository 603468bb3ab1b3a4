import type { RequestListener } from 'node:http';
import * as z from 'zod/mini';
import { awsJsonEndpoint, ServiceError } from '../aws-json.ts';
import type { StateMachines } from './state-machines.ts';

const Start = z.object({
  stateMachineArn: z.string(),
  name: z.optional(z.string()),
  input: z.optional(z.string()),
});

const Describe = z.object({ executionArn: z.string() });

/**
 * The local endpoint of the Step Functions API, with the operations that the functions use; `AWS_ENDPOINT_URL_SFN` points an
 * SDK to it.
 *
 * @see https://docs.aws.amazon.com/step-functions/latest/apireference/Welcome.html
 */
export function stateMachinesEndpoint(machines: StateMachines): RequestListener {
  return awsJsonEndpoint({
    StartExecution: (input) => {
      const { stateMachineArn: machineArn, ...start } = parse(Start, input);
      const { arn, startMs } = machines.startExecution({ machineArn, ...start });
      return { executionArn: arn, startDate: seconds(startMs) };
    },
    DescribeExecution: (input) => {
      const execution = machines.describeExecution(parse(Describe, input).executionArn);
      const { arn, machineArn, name, status, startMs, stopMs, inputText, output, error, cause } = execution;
      const dates = { startDate: seconds(startMs), stopDate: stopMs && seconds(stopMs) };
      const result = { input: inputText, output, error, cause };
      return { executionArn: arn, stateMachineArn: machineArn, name, status, ...dates, ...result };
    },
  });
}

/** Dates travel as epoch seconds, with milliseconds as the fraction. */
const seconds = (ms: number): number => ms / 1000;

function parse<S extends z.ZodMiniType>(schema: S, input: unknown): z.output<S> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  throw new ServiceError('ValidationException', z.prettifyError(parsed.error));
}
