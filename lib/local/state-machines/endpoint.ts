import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import * as z from 'zod/mini';
import { readBody } from '../http/body.ts';
import { ServiceError } from './errors.ts';
import type { Execution } from './executions.ts';
import type { StateMachines } from './state-machines.ts';

type Operation = (machines: StateMachines, input: unknown) => object;

/** AWS accepts no body over 1 MB. The input in the body has its own limit. */
const maxBodyBytes = 1024 * 1024;
const target = 'AWSStepFunctions.';

/**
 * The local endpoint of the Step Functions API (AwsJson 1.0); `AWS_ENDPOINT_URL_SFN` points an SDK to it. Signatures are not
 * verified. An operation that it lacks is refused with UnknownOperationException.
 *
 * @see https://docs.aws.amazon.com/step-functions/latest/apireference/Welcome.html
 */
export function stateMachinesEndpoint(machines: StateMachines): RequestListener {
  return (request, response) => {
    respond(machines, request).then(
      (body) => send(response, 200, body),
      (error: unknown) => {
        if (error instanceof ServiceError)
          send(response, 400, { __type: error.code, message: error.message });
        else send(response, 500, { __type: 'InternalServerException', message: String(error) });
      },
    );
  };
}

async function respond(machines: StateMachines, request: IncomingMessage): Promise<object> {
  const body = await readBody(request, maxBodyBytes);
  if (body === undefined)
    throw new ServiceError('ValidationException', `The body is over ${maxBodyBytes} bytes`);
  const header = request.headers['x-amz-target'];
  const name = typeof header === 'string' && header.startsWith(target) ? header.slice(target.length) : '';
  const operation = operations.get(name);
  if (operation === undefined) {
    throw new ServiceError('UnknownOperationException', `The local stack does not know '${String(header)}'`);
  }
  let input: unknown;
  try {
    input = JSON.parse(body.toString() || '{}');
  } catch {
    throw new ServiceError('SerializationException', 'The body is not JSON');
  }
  return operation(machines, input);
}

const Start = z.object({
  stateMachineArn: z.string(),
  name: z.optional(z.nullable(z.string())),
  input: z.optional(z.nullable(z.string())),
});

const Describe = z.object({
  executionArn: z.string(),
  includedData: z.optional(z.nullable(z.enum(['ALL_DATA', 'METADATA_ONLY']))),
});

const Stop = z.object({
  executionArn: z.string(),
  error: z.optional(z.nullable(z.string().check(z.maxLength(256)))),
  cause: z.optional(z.nullable(z.string().check(z.maxLength(32_768)))),
});

const operations = new Map<string, Operation>([
  [
    'StartExecution',
    (machines, input) => {
      const { stateMachineArn, name, input: text } = parse(Start, input);
      const started = machines.startExecution({
        machineArn: stateMachineArn,
        name: name ?? undefined,
        input: text ?? undefined,
      });
      return { executionArn: started.arn, startDate: seconds(started.startMs) };
    },
  ],
  [
    'DescribeExecution',
    (machines, input) => {
      const { executionArn, includedData } = parse(Describe, input);
      const execution = machines.describeExecution(executionArn);
      const { inputText, output, error, cause } = execution;
      const redriveStatus = {
        redriveStatus: 'NOT_REDRIVABLE',
        redriveStatusReason: 'The local stack cannot redrive',
      };
      if (includedData === 'METADATA_ONLY') return { ...summary(execution), ...redriveStatus };
      const data = { input: inputText, inputDetails: { included: true } };
      const result = output === undefined ? {} : { output, outputDetails: { included: true } };
      return { ...summary(execution), ...redriveStatus, ...data, ...result, error, cause };
    },
  ],
  [
    'StopExecution',
    (machines, input) => {
      const { executionArn, error, cause } = parse(Stop, input);
      const why = { error: error ?? undefined, cause: cause ?? undefined };
      const { stopMs } = machines.stopExecution({ arn: executionArn, ...why });
      return { stopDate: seconds(stopMs) };
    },
  ],
]);

function summary({ arn, machineArn, name, status, startMs, stopMs }: Execution) {
  const dates = { startDate: seconds(startMs), stopDate: seconds(stopMs) };
  return { executionArn: arn, stateMachineArn: machineArn, name, status, ...dates, redriveCount: 0 };
}

/** Dates travel as epoch seconds, with milliseconds as the fraction. */
function seconds(ms: number | undefined): number | undefined {
  return ms === undefined ? undefined : ms / 1000;
}

function parse<S extends z.ZodMiniType>(schema: S, input: unknown): z.output<S> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  const texts = issues.map(({ path, message }) => `Value at '${path.join('.')}' is not valid: ${message}`);
  throw new ServiceError(
    'ValidationException',
    `${issues.length} validation error detected: ${texts.join('; ')}`,
  );
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, {
    'content-type': 'application/x-amz-json-1.0',
    'x-amzn-requestid': randomUUID(),
  });
  response.end(JSON.stringify(body));
}
