import middy, { type MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { countBeside } from './admission.ts';
import { nowMs } from './clock.ts';
import { type Auth, type Callers, type Input, type Output, Reply, type Route } from './contract.ts';
import { ApiError } from './errors.ts';
import { answer, type Exchange, openExchange } from './exchange.ts';
import { type RequestRecord, recordRequest } from './log.ts';
import { parseInput } from './parse.ts';
import { traceId } from './random.ts';

/** Kept of a function's time to say that it ran out: killed by Lambda it could say nothing. */
const lastWordMs = 250;

type Step = MiddlewareObj<Exchange, unknown>;
export type LambdaHandler = (
  event: APIGatewayProxyEvent,
  context?: Context,
) => Promise<APIGatewayProxyResult>;

/**
 * Checks who is calling, once the request is parsed and while it is being counted.
 *
 * @throws ApiError when he does not prove it.
 */
type Authenticator<A extends Auth> = (exchange: Exchange) => Promise<Callers[A]>;

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
  const chain = middy<Exchange, unknown>({ timeoutEarlyInMillis: lastWordMs })
    .use([limited(route), ...known(route, authenticate), admitted(route), answered(route)])
    .handler(async (exchange: Exchange) => {
      wired ??= deps();
      const { input, client, caller, baseUrl, admitted } = exchange;
      return handle({ ...input, client, caller, baseUrl, admitted } as Input<R>, wired);
    });
  return async (event, context) => {
    const exchange = openExchange(event, nowMs());
    return (await chain(exchange, context as Context)) as APIGatewayProxyResult;
  };
}

/**
 * A bearer token says by itself who calls: it is looked at first, so that whoever has none learns nothing of the form,
 * and what an application sends wrong is counted. Other callers are named in what they send.
 */
const known = (route: Route, authenticate: Authenticator<Auth> | undefined): Step[] => {
  const steps = [parsed(route), authenticated(authenticate)];
  return bearers.has(route.auth) ? steps.reverse() : steps;
};

const bearers: ReadonlySet<Auth> = new Set(['links', 'operator', 'apiKey']);

const limited = (route: Route): Step => ({
  before: ({ event: exchange }) => {
    if (route.limit === undefined) return;
    countBeside(exchange, route.limit, exchange.countedAs, route.errors.limited ?? route.errors.failed);
  },
});

const parsed = (route: Route): Step => ({
  before: ({ event: exchange }) => {
    exchange.input = parseInput(route, exchange.event);
  },
});

const authenticated = (authenticate: Authenticator<Auth> | undefined): Step => ({
  before: async ({ event: exchange }) => {
    exchange.caller = await authenticate?.(exchange);
  },
});

const admitted = (route: Route): Step => ({
  before: async ({ event: exchange }) => {
    if (!route.besideCount) await exchange.admitted;
  },
});

const answered = (route: Route): Step => ({
  after: async (request) => {
    await request.event.admitted;
    if (request.response instanceof Reply) {
      const { status, headers, cookies, body } = request.response;
      record(route, request.event, { status });
      request.response = answer(request.event, route, status, body, headers, cookies);
      return;
    }
    // Parsed through its schema, a field that the contract does not have cannot leak.
    const output = route.response.parse(request.response);
    const status = route.status ?? 200;
    const body = route.produces === undefined ? JSON.stringify(output) : String(output);
    record(route, request.event, { status });
    request.response = answer(request.event, route, status, body);
  },
  onError: async (request) => {
    const { event: exchange } = request;
    // Over the limit comes before anything else that is wrong.
    const error = await exchange.admitted.then(
      () => request.error,
      (refusal: unknown) => refusal,
    );
    const known = error instanceof ApiError ? error : new ApiError(route.errors.failed);
    const auditId = known.status >= 500 ? traceId() : undefined;
    record(route, exchange, { status: known.status, code: known.code, ...(auditId && { auditId }) }, error);
    request.response = answer(exchange, route, known.status, JSON.stringify(known.body), {
      ...(known.retryAfterSeconds && { 'retry-after': String(known.retryAfterSeconds) }),
      ...(auditId && { 'x-audit-id': auditId }),
      ...(known.challenge && { 'www-authenticate': known.challenge }),
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
