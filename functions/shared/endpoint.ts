import middy, { type MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { authenticators } from './authenticate.ts';
import { nowMs } from './clock.ts';
import type { Input, Output, Route } from './contract.ts';
import { ApiError } from './errors.ts';
import { answer, type Exchange, openExchange } from './exchange.ts';
import { type RequestRecord, recordRequest } from './log.ts';
import { parseInput } from './parse.ts';
import { traceId } from './random.ts';
import { hit } from './rate-limit.ts';

/** Kept of a function's time to say that it ran out: killed by Lambda it could say nothing. */
const lastWordMs = 250;

type Step = MiddlewareObj<Exchange, unknown>;
export type LambdaHandler = (
  event: APIGatewayProxyEvent,
  context?: Context,
) => Promise<APIGatewayProxyResult>;

/**
 * A Lambda handler for API Gateway's REST proxy events, from a route and what it does.
 *
 * The one chain of steps: limit, parse, authenticate, handle, answer through the response schema, log. Only an
 * `ApiError` tells the caller what is wrong; anything else is the route's 500, whose `x-audit-id` names the
 * log record that holds the cause.
 *
 * @param deps made once, at the first request.
 */
export function endpoint<R extends Route, D>(
  route: R,
  handle: (input: Input<R>, deps: D) => Promise<Output<R>> | Output<R>,
  deps: () => D,
): LambdaHandler {
  let wired: D | undefined;
  const chain = middy<Exchange, unknown>({ timeoutEarlyInMillis: lastWordMs })
    .use([limited(route), parsed(route), authenticated(route), answered(route)])
    .handler(async (exchange: Exchange) => {
      wired ??= deps();
      return handle(exchange.input as Input<R>, wired);
    });
  return async (event, context) => {
    const exchange = openExchange(event, nowMs());
    return (await chain(exchange, context as Context)) as APIGatewayProxyResult;
  };
}

const limited = (route: Route): Step => ({
  before: async ({ event: { caller, startedAtMs } }) => {
    if (route.limit === undefined) return;
    const verdict = await hit(route.limit, caller, startedAtMs);
    if (verdict.allowed) return;
    throw new ApiError(route.errors.limited ?? route.errors.failed, verdict);
  },
});

const parsed = (route: Route): Step => ({
  before: ({ event: exchange }) => {
    exchange.input = parseInput(route, exchange.event);
  },
});

const authenticated = (route: Route): Step => ({
  before: ({ event: { event } }) => authenticators[route.auth](event),
});

const answered = (route: Route): Step => ({
  after: (request) => {
    // Parsed through its schema, a field that the contract does not have cannot leak.
    const output = route.response.parse(request.response);
    const status = route.status ?? 200;
    const body = route.produces === undefined ? JSON.stringify(output) : String(output);
    record(route, request.event, { status });
    request.response = answer(request.event, route, status, body);
  },
  onError: (request) => {
    const { error, event: exchange } = request;
    const known = error instanceof ApiError ? error : new ApiError(route.errors.failed);
    const auditId = known.status >= 500 ? traceId() : undefined;
    record(route, exchange, { status: known.status, code: known.code, ...(auditId && { auditId }) }, error);
    request.response = answer(exchange, route, known.status, JSON.stringify(known.body), {
      ...(known.retryAfterSeconds && { 'retry-after': String(known.retryAfterSeconds) }),
      ...(auditId && { 'x-audit-id': auditId }),
    });
  },
});

function record(
  { method, path }: Route,
  { requestId, startedAtMs }: Exchange,
  outcome: Pick<RequestRecord, 'status' | 'code' | 'auditId'>,
  cause?: unknown,
): void {
  const timing = { requestId, route: `${method} ${path}`, durationMs: nowMs() - startedAtMs };
  recordRequest({ ...timing, ...outcome }, cause);
}
