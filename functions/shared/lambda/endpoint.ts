import middy, { type MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type { Auth, Callers } from '../contract/callers.ts';
import { defined } from '../contract/defined.ts';
import { ApiError, found } from '../contract/errors.ts';
import { type Handler, type Input, type Output, Reply, type Route } from '../contract/route.ts';
import { nowMs } from '../runtime/clock.ts';
import { type RequestRecord, recordRequest } from '../runtime/log.ts';
import { traceId } from '../runtime/random.ts';
import { parseInput } from './parse-request.ts';
import { startRateLimitCheck } from './rate-limit-check.ts';
import { createRequestContext, header, type RequestContext, toResult } from './request-context.ts';
import { tooLarge } from './response-size.ts';

/** All that the file of an endpoint is written with, in one import. */
export { ApiError, found, type Handler, type Input, type Output, Reply };

/** Reserved at the end of a function's time, to respond with a 500 before Lambda kills it. */
const timeoutMarginMs = 250;

type Step = MiddlewareObj<RequestContext, unknown>;
export type LambdaHandler = (
  event: APIGatewayProxyEvent,
  context?: Context,
) => Promise<APIGatewayProxyResult>;

/** Authenticates the caller, concurrently with the rate limit check. @throws ApiError when authentication fails. */
type Authenticator<A extends Auth> = (context: RequestContext, route: Route) => Promise<Callers[A]>;

type Handle<R extends Route> = (input: Input<R>) => Promise<Output<R> | Reply> | Output<R> | Reply;

/** A route with authentication passes its authenticator, so that a bundle contains no other. */
type Authentication<A extends Auth> = A extends 'none' ? [] : [authenticate: Authenticator<A>];

/**
 * Builds the Lambda handler of a route, for proxy events of an API Gateway REST API.
 *
 * The steps are: rate limit, parse, authenticate, handle, respond through the response schema, log. The rate
 * limit check runs concurrently with parsing and authentication, and its 429 takes precedence over their
 * errors. Only an `ApiError` tells the caller what is wrong. Any other error becomes the route's 500, whose
 * `x-audit-id` identifies the log record with the cause. So does a response that is larger than Lambda returns.
 */
export function endpoint<R extends Route & { readonly auth: 'none' }>(
  route: R,
  handle: Handle<R>,
): LambdaHandler;
export function endpoint<R extends Route>(
  route: R,
  handle: Handle<R>,
  ...authentication: Authentication<R['auth']>
): LambdaHandler;
export function endpoint<R extends Route>(
  route: R,
  handle: Handle<R>,
  ...[authenticate]: Authentication<R['auth']>
): LambdaHandler {
  const chain = middy<RequestContext, unknown>({ timeoutEarlyInMillis: timeoutMarginMs })
    .use([
      refuseForeignForms(route),
      rateLimit(route),
      ...authenticationSteps(route, authenticate),
      awaitRateLimit(route),
      respond(route),
    ])
    .handler(async (context: RequestContext) => {
      const { input, remote, caller, baseUrl, rateLimitPassed } = context;
      return handle({ ...input, remote, caller, baseUrl, rateLimitPassed } as Input<R>);
    });
  return async (event, lambdaContext) => {
    const context = createRequestContext(event, nowMs());
    return (await chain(context, lambdaContext as Context)) as APIGatewayProxyResult;
  };
}

/**
 * A bearer token identifies the caller by itself. It is checked before parsing, so that an unauthenticated
 * caller learns nothing about the schema and invalid requests of an application are counted. Other methods
 * read the parsed input.
 */
const authenticationSteps = (route: Route, authenticate: Authenticator<Auth> | undefined): Step[] => {
  const steps = [parse(route), authentication(route, authenticate)];
  return bearerAuth.has(route.auth) ? steps.reverse() : steps;
};

const bearerAuth: ReadonlySet<Auth> = new Set([
  'links',
  'operator',
  'anyOperator',
  'apiKey',
  'application',
  'seller',
]);

const refuseForeignForms = (route: Route): Step => ({
  before: ({ event: { event, baseUrl } }) => {
    if (route.ownPagesOnly && isForeignForm(event, baseUrl)) throw new ApiError('foreign_form');
  },
});

const rateLimit = (route: Route): Step => ({
  before: ({ event: context }) => {
    if (route.limit === undefined) return;
    const code = route.errors.limited ?? route.errors.failed;
    startRateLimitCheck(context, [{ limit: route.limit, key: context.rateLimitKey }], code);
  },
});

const parse = (route: Route): Step => ({
  before: async ({ event: context }) => {
    context.input = await parseInput(route, context.event);
  },
});

const authentication = (route: Route, authenticate: Authenticator<Auth> | undefined): Step => ({
  before: async ({ event: context }) => {
    context.caller = await authenticate?.(context, route);
  },
});

const awaitRateLimit = (route: Route): Step => ({
  before: async ({ event: context }) => {
    if (!route.concurrentRateLimit) await context.rateLimitPassed;
  },
});

const respond = (route: Route): Step => ({
  after: async (request) => {
    const { event: context, response } = request;
    await Promise.all([context.rateLimitPassed, context.beforeResponse]);
    const status = response instanceof Reply ? response.status : (route.status ?? 200);
    const result =
      response instanceof Reply
        ? toResult(context, route, status, response.body, response.headers, response.cookies)
        : toResult(context, route, status, bodyOf(route, response));
    const problem = tooLarge(result);
    if (problem !== undefined) throw problem;
    record(route, context, { status });
    request.response = result;
  },
  onError: async (request) => {
    const { event: context } = request;
    // An exceeded rate limit takes precedence over any other error.
    const error = await context.rateLimitPassed.then(
      () => request.error,
      (refusal: unknown) => refusal,
    );
    await context.beforeResponse;
    request.response = errorResult(route, context, error);
  },
});

/** The schema strips undeclared fields, so that none can leak. */
function bodyOf(route: Route, response: unknown): string {
  const output = route.response.parse(response);
  return route.produces === undefined ? JSON.stringify(output) : String(output);
}

function errorResult(route: Route, context: RequestContext, error: unknown): APIGatewayProxyResult {
  const apiError = error instanceof ApiError ? error : new ApiError(route.errors.failed);
  const { status, code, body, retryAfterSeconds, challenge } = apiError;
  const auditId = status >= 500 ? traceId() : undefined;
  const headers = defined({
    'retry-after': retryAfterSeconds === undefined ? undefined : String(retryAfterSeconds),
    'x-audit-id': auditId,
    'www-authenticate': challenge,
  });
  const result = toResult(context, route, status, JSON.stringify(body), headers);
  const problem = tooLarge(result);
  // The 500 has no details: it always fits.
  if (problem !== undefined) return errorResult(route, context, problem);
  record(route, context, defined({ status, code, auditId }), error);
  return result;
}

function record(
  { method, path }: Route,
  { requestId, startedAtMs }: RequestContext,
  outcome: Pick<RequestRecord, 'status' | 'code' | 'auditId'>,
  cause?: unknown,
): void {
  const timing = { requestId, route: `${method} ${path}`, durationMs: nowMs() - startedAtMs };
  recordRequest({ ...timing, ...outcome }, cause);
}

/** A form of the API's own page, or a reload that a person asked the browser for. */
const ownSites: ReadonlySet<string> = new Set(['same-origin', 'none']);

/**
 * Whether a browser says that the page of another site submits the request. No page can set `Sec-Fetch-Site` or `Origin`. A
 * sibling host counts as another site: it can belong to somebody else.
 *
 * Browsers older than 2023 do not send `Sec-Fetch-Site`, and no browser sends it over http to another machine: there `Origin`
 * decides. The forms of this API have the origin `null`, under the `no-referrer` of their pages, and so can those of any other
 * site. Programs send neither header. This is therefore the second defence: the first is a token in the form or in its address.
 * https://www.w3.org/TR/fetch-metadata/#sec-fetch-site-header
 *
 * @param baseUrl of the API, as the caller reached it.
 */
function isForeignForm(event: Partial<APIGatewayProxyEvent>, baseUrl: string): boolean {
  const site = header(event, 'sec-fetch-site');
  if (site !== undefined) return !ownSites.has(site);
  const origin = header(event, 'origin') ?? 'null';
  return origin !== 'null' && origin !== new URL(baseUrl).origin;
}
