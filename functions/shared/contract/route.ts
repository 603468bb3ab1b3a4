import type { core, output, ZodMiniDiscriminatedUnion, ZodMiniObject, ZodMiniType } from 'zod/mini';
import type { Auth, Callers } from './callers.ts';
import type { ErrorCode } from './errors.ts';
import type { multipart } from './form-route.ts';
import type { Grants, KeyPrefix } from './grants.ts';
import type { OtherResponse, ResponseHeader } from './headers.ts';
import type { OperatorAuth, OperatorScope } from './operator-scopes.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A sliding window: at most `max` requests in any interval of `windowMs`, per client address and `group`. */
export interface Limit {
  readonly group: string;
  readonly max: number;
  readonly windowMs: number;
}

/** A bound on bytes: at most `maxBytes` in each hour of UTC, per caller and `group`. */
export interface ByteLimit {
  readonly group: string;
  readonly maxBytes: number;
  /** The counted things and their owner, for the documentation: `responses to one client address`. */
  readonly counted: string;
}

/** A token bucket: `burst` requests at once, refilled by `ratePerSecond`. */
export interface Throttle {
  readonly ratePerSecond: number;
  readonly burst: number;
}

/** An object, or one of several that a field tells apart. */
export type BodySchema = ZodMiniObject | ZodMiniDiscriminatedUnion<readonly ZodMiniObject[]>;

/** The fields of a body by name, those of all its alternatives. */
export const bodyFields = (body: BodySchema | undefined): Readonly<Record<string, core.$ZodType>> => {
  if (body === undefined) return {};
  return 'shape' in body ? body.shape : Object.assign({}, ...body.def.options.map(({ shape }) => shape));
};

/** Whether the body of a command has the reason. That of an operator is otherwise in a header. */
export const statesReason = ({ body }: Pick<Route, 'body'>): boolean => 'reason' in bodyFields(body);

/** One endpoint as a literal, read by the deployment, the local server, the OpenAPI document and the tests. */
export type Route = Contract & Caller;

type Caller =
  | { readonly auth: Exclude<Auth, OperatorAuth>; readonly operatorScope?: never }
  | { readonly auth: OperatorAuth; readonly operatorScope: OperatorScope };

/** A command in words, for people. */
export interface Words {
  /** An imperative: `Revoke a key`. */
  readonly title: string;
  /** Before it is done: what it ends or cannot be undone, and whether to do it. */
  readonly question?: string;
  /** Of what was done, in a sentence. Without it, people see the response: it has a secret, which is shown once. */
  readonly notice?: string;
  /** Of the button that shows what a form would change, before it is sent. */
  readonly preview?: string;
}

interface Contract {
  readonly method: Method;
  /** API Gateway syntax: `/api/thing/{id}`. */
  readonly path: `/${string}`;
  /** An alias with the same parameters. */
  readonly alsoAt?: `/${string}`;
  /** Which of its paths the contract (docs/contract.md) names. Absent for an addition. */
  readonly ofContract?: 'path' | 'alsoAt';
  /** A GET that changes something, such as the first read of a one-time share. It has no HEAD. */
  readonly isUnsafe?: true;
  /** Of the operation in the OpenAPI document, where it does not follow from the name of the route. */
  readonly operationId?: string;
  /** One sentence. */
  readonly summary: string;
  /** CommonMark: what a caller needs to know beyond the schemas. */
  readonly description?: string;
  /** Of a command that the console has a form for. */
  readonly words?: Words;
  readonly limit?: Limit;
  /** The handler counts: only it knows the bytes. Over the limit it responds with `errors.limited`. */
  readonly byteLimit?: ByteLimit;
  /**
   * The requests that API Gateway passes to this method and path from all callers together: the
   * average rate, and the size of its token bucket. By default the throttling of the stage holds.
   * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-request-throttling.html
   */
  readonly throttle?: Throttle;
  /**
   * The handler runs concurrently with the rate limit check, and awaits `rateLimitPassed` before any side
   * effect that a refused request must not have. By default the handler starts after the check.
   */
  readonly concurrentRateLimit?: true;
  readonly params?: ZodMiniObject;
  /** The headers that the handler reads, with lowercase names. */
  readonly headers?: ZodMiniObject;
  readonly query?: ZodMiniObject;
  readonly body?: BodySchema;
  /** JSON by default. `raw` yields `{ raw }`, the unparsed text. {@link multipart} is a form with files. */
  readonly bodyType?: 'json' | 'form' | 'raw' | typeof multipart;
  /** A missing body is an empty object. */
  readonly bodyOptional?: true;
  readonly finalByDefault?: true;
  /** Largest accepted body in bytes, 64 KiB by default. */
  readonly maxBodyBytes?: number;
  readonly response: ZodMiniType;
  /** Content type of the response, JSON by default. For any other type the handler returns the body as a string. */
  readonly produces?: string;
  /** Status of a successful response, 200 by default. */
  readonly status?: 200 | 201 | 202 | 303;
  /**
   * How long caches may store a successful response, in seconds. The handler sends `cacheControl` and an `ETag`. By
   * default no response may be stored.
   */
  readonly cacheSeconds?: number;
  /** Headers of a successful response in addition to those of every response, for the documentation. */
  readonly responseHeaders?: readonly ResponseHeader[];
  /** Responses beside the successful one and the errors: pages, redirects, other media types. */
  readonly otherResponses?: readonly OtherResponse[];
  /** Callers that accept HTML receive each error as a page. */
  readonly errorPages?: true;
  /**
   * Only a page of this API submits it. A request that a browser marks as one of another site gets `foreign_form`, which is
   * an error of the route.
   */
  readonly ownPagesOnly?: true;
  readonly errors: {
    /** A request that fails its schema, malformed JSON, a wrong content type, a body that is too large. */
    readonly invalid?: ErrorCode;
    readonly limited?: ErrorCode;
    readonly failed: ErrorCode;
    readonly also?: readonly ErrorCode[];
  };
  /** Whether browsers may call it: adds preflight and CORS headers for the allowed origins. */
  readonly cors?: boolean;
  readonly grants: Grants;
}

export type Routes = Readonly<Record<string, Route>>;

export const defineRoute = <const T extends Route>(route: T): T => route;

/** New items of the table, by their keys. */
export interface StreamFilter {
  readonly partitions: KeyPrefix;
  readonly sortKeyPrefix: string;
}

/** A task that a schedule, the stream of the table or a state machine starts. */
export interface Timer {
  /** One sentence. */
  readonly summary: string;
  /** The schedule. A missed run is not repeated: the next one does its work too. */
  readonly everyMinutes?: number;
  /**
   * The stream hands it each item that is created under these keys, at least once. With neither a schedule nor the stream,
   * a state machine invokes the task.
   */
  readonly stream?: StreamFilter;
  /** How long a task of a state machine may take, when it waits for more than the table. */
  readonly timeoutSeconds?: number;
  readonly grants: Grants;
}

export type Timers = Readonly<Record<string, Timer>>;

export const defineTimers = <const T extends Timers>(timers: T): T => timers;

export interface Place {
  /** Folder under `functions/`. */
  service: string;
  /** File name of the endpoint or the task, without `.ts`. */
  name: string;
  /** Unique, for example `shares.open`: the base of the function's name. */
  id: string;
}

export function placesIn<T>(
  services: Readonly<Record<string, Readonly<Record<string, T>>>>,
): (Place & { entry: T })[] {
  return Object.entries(services).flatMap(([service, entries]) =>
    Object.entries(entries).map(([name, entry]) => ({ service, name, id: `${service}.${name}`, entry })),
  );
}

type Parsed<S> = S extends ZodMiniType ? output<S> : undefined;

/** The input of a handler: only what its route declares, parsed. */
export interface Input<R extends Route> {
  params: Parsed<R['params']>;
  headers: Parsed<R['headers']>;
  query: Parsed<R['query']>;
  body: Parsed<R['body']>;
  remote: Remote;
  caller: Callers[R['auth']];
  /** The URL at which the caller reached the API, without a trailing slash. */
  baseUrl: string;
  /**
   * Resolves when the request is within the rate limit, otherwise rejects with the route's 429. An access token is checked
   * concurrently: with one that is no longer valid it rejects with `invalid_token`.
   */
  rateLimitPassed: Promise<void>;
}

export interface Remote {
  /** The source address that API Gateway saw, or 'Unknown'. */
  address: string;
  userAgent: string | undefined;
}

export type Output<R extends Route> = output<R['response']>;
/** The work of an endpoint. One that responds with a page returns a {@link Reply}. */
export type Handler<R extends Route, Result = Output<R>> = (input: Input<R>) => Promise<Result>;

/** A response that is not JSON of the route's schema: a page, a redirect, another status. */
export class Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Each becomes a `Set-Cookie` header. */
  readonly cookies: readonly string[];
  /** Bytes are sent as Base64, which API Gateway decodes for its binary media types. */
  readonly body: string | Uint8Array;

  constructor(
    status: number,
    options: {
      headers?: Record<string, string>;
      cookies?: readonly string[];
      body?: string | Uint8Array;
    } = {},
  ) {
    this.status = status;
    this.headers = options.headers ?? {};
    this.cookies = options.cookies ?? [];
    this.body = options.body ?? '';
  }
}

/**
 * Whether unknown fields of the body are refused, because a misspelt one would silently do nothing. Clients of the contract may
 * send any, except where the default cannot be undone. The fields of other bodies are not all ours: RFC 6749 section 3.2 has
 * those of its forms ignored.
 */
export const refusesUnknownFields = ({ bodyType = 'json', ofContract, finalByDefault }: Route): boolean =>
  bodyType === 'json' && (ofContract === undefined || finalByDefault === true);

export const defaultMaxBodyBytes = 64 * 1024;

/**
 * The largest result of a function, in bytes of JSON. AWS documents 6 MB; this is the figure of its error message.
 * https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
export const maxResultBytes = 6_291_556;

export function errorCodes(route: Route): ErrorCode[] {
  const { invalid, limited, failed, also = [] } = route.errors;
  const foreign: ErrorCode | undefined = route.ownPagesOnly && 'foreign_form';
  const scope: ErrorCode | undefined = route.operatorScope && 'insufficient_scope';
  return [
    ...new Set([invalid, limited, foreign, scope, failed, ...also].filter((code) => code !== undefined)),
  ];
}

export const commonErrors = {
  invalid: 'invalid_request',
  limited: 'rate_limited',
  failed: 'server_error',
} as const;

export const unlimitedErrors = { invalid: 'invalid_request', failed: 'server_error' } as const;

/** The authentication and the errors of a route for operators. @param also the errors beside that of a key without effect. */
export const operatorRoute = <const S extends OperatorScope, const E extends readonly ErrorCode[]>(
  operatorScope: S,
  ...also: E
) =>
  ({
    auth: 'operator',
    operatorScope,
    errors: { ...unlimitedErrors, also: ['invalid_token', ...also] },
  }) as const;

export const idempotencyErrors = ['idempotency_mismatch', 'idempotency_in_progress'] as const;

/** The authentication of endpoints for people who do the books. */
export const sellerRoute = { auth: 'seller', operatorScope: 'finance', concurrentRateLimit: true } as const;

export const apiKeyRoute = { auth: 'apiKey', concurrentRateLimit: true } as const;

/** The refusals of a caller who may be an operator: they can name an application that does not exist. */
export const refusals = ['invalid_token', 'not_found'] as const;
