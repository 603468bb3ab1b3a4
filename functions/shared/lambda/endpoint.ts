import middy, { type MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { ApiError } from '../contract/errors.ts';
import { type Auth, type Callers, type Input, type Output, Reply, type Route } from '../contract/route.ts';
import { nowMs } from '../runtime/clock.ts';
import { type RequestRecord, recordRequest } from '../runtime/log.ts';
import { traceId } from '../runtime/random.ts';
import { parseInput } from './parse-request.ts';
import { startRateLimitCheck } from './rate-limit-check.ts';
import { createRequestContext, type RequestContext, toResult } from './request-context.ts';

/** Kept of a function's time to say that it ran out: killed by Lambda it could say nothing. */
const lastWordMs = 250;

type Step = MiddlewareObj<RequestContext, unknown>;
export type LambdaHandler = (
  event: APIGatewayProxyEvent,
  context?: Context,
) => Promise<APIGatewayProxyResult>;

/**
 * Checks who is calling, once the request is parsed and while it is being counted.
 *
 * @throws ApiError when he does not prove it.
 */
type Authenticator<A extends Auth> = (exchange: RequestContext) => Promise<Callers[A]>;

/** A route that asks for a proof names who checks it: a bundle carries no other authenticator. */
type Authentication<A extends Auth> = A extends 'none' ? [] : [authenticate: Authenticator<A>];

/**
 * A Lambda handler for API Gateway's REST proxy events, from a route and what it does.
 *
 * The one chain of steps: limit, parse, authenticate, handle, answer through the response schema, log. The request
 * is counted while it is parsed and authenticated; whatever these say, over the limit is a 429. Only an
 * `ApiError` tells the caller what is wrong; anything else is the route's 500, whose `x-audit-id` names the
 * log record that holds the cause.
 *
 * @param deps made once, at the first request.
 */
export function endpoint<R extends Route, D>(
  route: R,
  handle: (input: Input<R>, deps: D) => Promise<Output<R> | Reply> | Output<R> | Reply,
  deps: () => D,
  ...[authenticate]: Authentication<R['auth']>
): LambdaHandler {
  let wired: D | undefined;
  const chain = middy<RequestContext, unknown>({ timeoutEarlyInMillis: lastWordMs })
    .use([
      rateLimit(route),
      ...authenticationSteps(route, authenticate),
      awaitRateLimit(route),
      respond(route),
    ])
    .handler(async (exchange: RequestContext) => {
      wired ??= deps();
      const { input, client, caller, baseUrl, rateLimitPassed } = exchange;
      return handle({ ...input, client, caller, baseUrl, rateLimitPassed } as Input<R>, wired);
    });
  return async (event, context) => {
    const exchange = createRequestContext(event, nowMs());
    return (await chain(exchange, context as Context)) as APIGatewayProxyResult;
  };
}

/**
 * A bearer token says by itself who calls: it is looked at first, so that whoever has none learns nothing of the form,
 * and what an application sends wrong is counted. Other callers are named in what they send.
 */
const authenticationSteps = (route: Route, authenticate: Authenticator<Auth> | undefined): Step[] => {
  const steps = [parse(route), authentication(authenticate)];
  return bearers.has(route.auth) ? steps.reverse() : steps;
};

const bearers: ReadonlySet<Auth> = new Set(['links', 'operator', 'apiKey']);

const rateLimit = (route: Route): Step => ({
  before: ({ event: exchange }) => {
    if (route.limit === undefined) return;
    startRateLimitCheck(
      exchange,
      route.limit,
      exchange.rateLimitKey,
      route.errors.limited ?? route.errors.failed,
    );
  },
});

const parse = (route: Route): Step => ({
  before: ({ event: exchange }) => {
    exchange.input = parseInput(route, exchange.event);
  },
});

const authentication = (authenticate: Authenticator<Auth> | undefined): Step => ({
  before: async ({ event: exchange }) => {
    exchange.caller = await authenticate?.(exchange);
  },
});

const awaitRateLimit = (route: Route): Step => ({
  before: async ({ event: exchange }) => {
    if (!route.concurrentRateLimit) await exchange.rateLimitPassed;
  },
});

const respond = (route: Route): Step => ({
  after: async (request) => {
    await request.event.rateLimitPassed;
    if (request.response instanceof Reply) {
      const { status, headers, cookies, body } = request.response;
      record(route, request.event, { status });
      request.response = toResult(request.event, route, status, body, headers, cookies);
      return;
    }
    // Parsed through its schema, a field that the contract does not have cannot leak.
    const output = route.response.parse(request.response);
    const status = route.status ?? 200;
    const body = route.produces === undefined ? JSON.stringify(output) : String(output);
    record(route, request.event, { status });
    request.response = toResult(request.event, route, status, body);
  },
  onError: async (request) => {
    const { event: exchange } = request;
    // Over the limit comes before anything else that is wrong.
    const error = await exchange.rateLimitPassed.then(
      () => request.error,
      (refusal: unknown) => refusal,
    );
    const known = error instanceof ApiError ? error : new ApiError(route.errors.failed);
    const auditId = known.status >= 500 ? traceId() : undefined;
    record(route, exchange, { status: known.status, code: known.code, ...(auditId && { auditId }) }, error);
    request.response = toResult(exchange, route, known.status, JSON.stringify(known.body), {
      ...(known.retryAfterSeconds && { 'retry-after': String(known.retryAfterSeconds) }),
      ...(auditId && { 'x-audit-id': auditId }),
      ...(known.challenge && { 'www-authenticate': known.challenge }),
    });
  },
});

function record(
  { method, path }: Route,
  { requestId, startedAtMs }: RequestContext,
  outcome: Pick<RequestRecord, 'status' | 'code' | 'auditId'>,
  cause?: unknown,
): void {
  const timing = { requestId, route: `${method} ${path}`, durationMs: nowMs() - startedAtMs };
  recordRequest({ ...timing, ...outcome }, cause);
}
