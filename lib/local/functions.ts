import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import type { Registered } from '../../functions/routes.ts';
import { type RegisteredTimer, registeredTimers } from '../../functions/timers.ts';

export type Handler = (event: APIGatewayProxyEvent, context: Context) => Promise<unknown>;

export type Invoke = (entry: Registered, event: APIGatewayProxyEvent) => Promise<unknown>;

/** The integration timeout of API Gateway: https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html */
export const integrationTimeoutMs = 29_000;

/** The handler of a route, imported by its file name on first use and cached by Node.js. */
export async function loadHandler({ service, name }: Pick<Registered, 'service' | 'name'>): Promise<Handler> {
  const { handler } = await import(`../../functions/${service}/${name}.ts`);
  if (typeof handler !== 'function') throw new Error(`functions/${service}/${name}.ts exports no handler`);
  return handler;
}

export const invokeFunction: Invoke = async (entry, event) => {
  const handler = await loadHandler(entry);
  return handler(event, lambdaContext(entry.id));
};

/** Runs the function of a timer. Event and result pass through JSON, as in a deployment. */
export async function runTimer(entry: RegisteredTimer, payload: unknown = {}): Promise<unknown> {
  const handler = await loadHandler(entry);
  const event: APIGatewayProxyEvent = JSON.parse(JSON.stringify(payload));
  const result: unknown = await handler(event, lambdaContext(entry.id));
  return result === undefined ? null : JSON.parse(JSON.stringify(result));
}

/**
 * Invokes a timer's function for a state machine.
 *
 * @throws the error of the function. State machines match errors by name.
 */
export async function invokeTimer(id: string, payload: unknown): Promise<unknown> {
  const entry = registeredTimers().find((timer) => timer.id === id);
  if (entry === undefined) throw new Error(`There is no function ${id}`);
  return runTimer(entry, payload);
}

/** https://docs.aws.amazon.com/lambda/latest/dg/nodejs-context.html */
function lambdaContext(id: string): Context {
  const startedMs = performance.now();
  const functionName = `vouchsafe-local-${id.replace('.', '-')}`;
  return {
    functionName,
    functionVersion: '$LATEST',
    invokedFunctionArn: `arn:aws:lambda:eu-west-1:000000000000:function:${functionName}`,
    memoryLimitInMB: '512',
    awsRequestId: randomUUID(),
    logGroupName: `/aws/lambda/${functionName}`,
    logStreamName: 'local',
    callbackWaitsForEmptyEventLoop: false,
    getRemainingTimeInMillis: () => Math.max(0, integrationTimeoutMs - (performance.now() - startedMs)),
    done: () => undefined,
    fail: () => undefined,
    succeed: () => undefined,
  };
}
