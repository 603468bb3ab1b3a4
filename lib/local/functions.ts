import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import type { Registered } from '../../functions/routes.ts';
import { type RegisteredTimer, registeredTimers } from '../../functions/timers.ts';

/** A handler as its file exports it. */
export type Handler = (event: APIGatewayProxyEvent, context: Context) => Promise<unknown>;

/** Calls the handler of a registered route with an event. */
export type Invoke = (entry: Registered, event: APIGatewayProxyEvent) => Promise<unknown>;

/** API Gateway waits no longer: https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html */
export const integrationTimeoutMs = 29_000;

/** The function of a route, loaded by its file name when first asked for, and kept by Node.js from then on. */
export async function loadHandler({ service, name }: Pick<Registered, 'service' | 'name'>): Promise<Handler> {
  const { handler } = await import(`../../functions/${service}/${name}.ts`);
  if (typeof handler !== 'function') throw new Error(`functions/${service}/${name}.ts exports no handler`);
  return handler;
}

/** Invokes the real functions of the project. */
export const invokeFunction: Invoke = async (entry, event) => {
  const handler = await loadHandler(entry);
  return handler(event, lambdaContext(entry.id));
};

/** Runs the real function of a timer. What it takes and what it answers pass through JSON, as in a deployment. */
export async function runTimer(entry: RegisteredTimer, payload: unknown = {}): Promise<unknown> {
  const handler = await loadHandler(entry);
  const event = JSON.parse(JSON.stringify(payload)) as APIGatewayProxyEvent;
  const answer: unknown = await handler(event, lambdaContext(entry.id));
  return answer === undefined ? null : JSON.parse(JSON.stringify(answer));
}

/**
 * Invokes a timer's function for a state machine.
 *
 * @param id what it is registered under, which is its name here.
 * @throws whatever the function throws; the name of the error is what a state machine decides by.
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
