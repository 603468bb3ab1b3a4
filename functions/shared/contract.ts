import type { output, ZodMiniObject, ZodMiniType } from 'zod/mini';
import type { ErrorCode } from './errors.ts';
import type { KeyPrefix } from './keys.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** How a caller proves who he is. */
export type Auth = 'none';

/** A sliding window: at most `max` requests in any `windowMs`, counted per client address within `group`. */
export interface Limit {
  readonly group: string;
  readonly max: number;
  readonly windowMs: number;
}

type TableAction = 'GetItem' | 'PutItem' | 'UpdateItem' | 'DeleteItem' | 'BatchGetItem' | 'Query';

/** What a function may touch, and nothing else. The rate limiter's own write is derived from `limit`. */
interface Grants {
  /** Table actions by key prefix. */
  readonly table?: Readonly<Partial<Record<KeyPrefix, readonly TableAction[]>>>;
  /** Generated files (names) packed beside the bundle, found in `FILES_DIR`. */
  readonly files?: readonly string[];
}

/** One endpoint as a literal: the deployment, the local server, the OpenAPI document and the tests read it. */
export interface Route {
  readonly method: Method;
  /** API Gateway syntax: `/api/thing/{id}`. */
  readonly path: `/${string}`;
  /** One sentence. */
  readonly summary: string;
  /** CommonMark, for what a caller needs to know beyond the schemas. */
  readonly description?: string;
  readonly auth: Auth;
  readonly limit?: Limit;
  readonly query?: ZodMiniObject;
  readonly body?: ZodMiniObject;
  /** The largest body read, in bytes; 64 KiB by default. */
  readonly maxBodyBytes?: number;
  readonly response: ZodMiniType;
  /** Content type of the answer; JSON by default. Anything else is a string sent as it is. */
  readonly produces?: string;
  /** Status of a good answer; 200 by default. */
  readonly status?: 200 | 201;
  readonly errors: {
    /** Answers a request that fails its schema, malformed JSON, a wrong content type, too large a body. */
    readonly invalid?: ErrorCode;
    readonly limited?: ErrorCode;
    /** Answers whatever was not foreseen. */
    readonly failed: ErrorCode;
    readonly also?: readonly ErrorCode[];
  };
  /** Called from browsers: preflight and CORS headers for the allowed origins. */
  readonly cors?: boolean;
  readonly grants: Grants;
}

export type Routes = Readonly<Record<string, Route>>;

/** Checks the literals and keeps their exact types. */
export function defineRoutes<const T extends Routes>(routes: T): T {
  return routes;
}

type Parsed<S> = S extends ZodMiniType ? output<S> : undefined;

/** What a handler receives: only what its route declares, parsed. */
export interface Input<R extends Route> {
  query: Parsed<R['query']>;
  body: Parsed<R['body']>;
}

export type Output<R extends Route> = output<R['response']>;

export const defaultMaxBodyBytes = 64 * 1024;

/** The codes a route can answer with, each once. */
export function errorCodes(route: Route): ErrorCode[] {
  const { invalid, limited, failed, also = [] } = route.errors;
  return [...new Set([invalid, limited, failed, ...also].filter((code) => code !== undefined))];
}
