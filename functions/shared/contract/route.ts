import type { output, ZodMiniObject, ZodMiniType } from 'zod/mini';
import type { ErrorCode } from './errors.ts';
import type { IndexName, KeyPrefix } from './keys.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** What a handler learns of its caller, by the way he proves who he is. */
export interface Callers {
  none: undefined;
  /** A trusted device (`x-device-id`) and the knowledge of the master password (`x-auth-hash`). */
  proof: ProvenCaller;
  /** The same where the deployment asks for it, otherwise nothing. */
  management: ProvenCaller | undefined;
  /** An application's client secret, or an access token that a user gave it. */
  links: LinksCaller;
  /** An operator key: the verification team and who runs the service. */
  operator: { keyId: string };
  /** An application's API key, which opens its subscriptions. */
  apiKey: { applicationId: string };
}

/** An application; by token it speaks for one user, within the scopes he allowed. */
export type LinksCaller =
  | { applicationId: string; by: 'secret' }
  | { applicationId: string; by: 'token'; userId: string; scopes: readonly string[] };

export interface ProvenCaller {
  userId: string;
  /** 64 lowercase hex digits; never stored as they are. None when an access token stands in for it. */
  authHash?: string;
  /** Names the stored proof that held when this was checked; undefined as long as the user has no vault. */
  provenBy: string | undefined;
}

export type Auth = keyof Callers;

/** A sliding window: at most `max` requests in any `windowMs`, counted per client address within `group`. */
export interface Limit {
  readonly group: string;
  readonly max: number;
  readonly windowMs: number;
}

type TableAction =
  | 'GetItem'
  | 'PutItem'
  | 'UpdateItem'
  | 'DeleteItem'
  | 'BatchGetItem'
  | 'ConditionCheckItem'
  | 'Query';

/**
 * Beside the table: sending mail (with attachments), the geo data, the deployment's key, the device-profiling lookup,
 * starting the timers of subscriptions and seeing whether they run, the Stripe keys of applications.
 */
export type Resource =
  | 'mail'
  | 'rawMail'
  | 'geo'
  | 'deploymentKey'
  | 'deviceProfiling'
  | 'timers'
  | 'watchTimers'
  | 'stripe';

/** What a function may touch, and nothing else. The rate limiter's own write is derived from `limit`. */
export interface Grants {
  /** Table actions by key prefix. */
  readonly table?: Readonly<Partial<Record<KeyPrefix, readonly TableAction[]>>>;
  /** Indexes that are queried, with the prefixes of their partition keys; none where keys are ids. */
  readonly indexes?: Readonly<Partial<Record<IndexName, readonly KeyPrefix[]>>>;
  /** Generated files (names) packed beside the bundle, found in `FILES_DIR`. */
  readonly files?: readonly string[];
  readonly uses?: readonly Resource[];
}

/** What checking the proof reads and writes, whatever the route. */
const proofGrants: Grants = {
  table: { DEVICE: ['GetItem'], PROOF: ['GetItem'], RATE: ['GetItem', 'UpdateItem'] },
  uses: ['deploymentKey'],
};

/** What each way of authenticating needs beside the grants of its route. */
export const authGrants: Readonly<Record<Auth, Grants>> = {
  none: {},
  proof: proofGrants,
  management: proofGrants,
  links: { table: { SECRET: ['GetItem'], RATE: ['UpdateItem'] } },
  apiKey: { table: { SECRET: ['GetItem'], RATE: ['UpdateItem'] } },
  operator: { table: { SECRET: ['GetItem'] } },
};

/** One endpoint as a literal: the deployment, the local server, the OpenAPI document and the tests read it. */
export interface Route {
  readonly method: Method;
  /** API Gateway syntax: `/api/thing/{id}`. */
  readonly path: `/${string}`;
  /** The same endpoint under another path, with the same parameters. */
  readonly alsoAt?: `/${string}`;
  /** One sentence. */
  readonly summary: string;
  /** CommonMark, for what a caller needs to know beyond the schemas. */
  readonly description?: string;
  readonly auth: Auth;
  readonly limit?: Limit;
  /**
   * The handler starts while the request is still being counted, and awaits `rateLimitPassed` itself before it does
   * what a refused caller must not cause. Otherwise it starts when the request is let through.
   */
  readonly concurrentRateLimit?: true;
  /** The `{name}` segments of the path. */
  readonly params?: ZodMiniObject;
  /** Headers that it reads, their names in lower case. */
  readonly headers?: ZodMiniObject;
  readonly query?: ZodMiniObject;
  readonly body?: ZodMiniObject;
  /** JSON by default; `raw` is `{ raw }`, the text as it came. */
  readonly bodyType?: 'json' | 'form' | 'raw';
  /** No body is an empty object. */
  readonly bodyOptional?: true;
  /** The largest body read, in bytes; 64 KiB by default. */
  readonly maxBodyBytes?: number;
  readonly response: ZodMiniType;
  /** Content type of the answer; JSON by default. Anything else is a string sent as it is. */
  readonly produces?: string;
  /** Status of a good answer; 200 by default. */
  readonly status?: 200 | 201 | 303;
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

/** Work that a schedule or a state machine starts. */
export interface Timer {
  /** One sentence. */
  readonly summary: string;
  /**
   * A missed run is made up for by the next: what it does must not depend on how often it runs. Without, a state
   * machine invokes it.
   */
  readonly everyMinutes?: number;
  readonly grants: Grants;
}

export type Timers = Readonly<Record<string, Timer>>;

/** Checks the literals and keeps their exact types. */
export function defineTimers<const T extends Timers>(timers: T): T {
  return timers;
}

type Parsed<S> = S extends ZodMiniType ? output<S> : undefined;

/** What a handler receives: only what its route declares, parsed. */
export interface Input<R extends Route> {
  params: Parsed<R['params']>;
  headers: Parsed<R['headers']>;
  query: Parsed<R['query']>;
  body: Parsed<R['body']>;
  client: Client;
  caller: Callers[R['auth']];
  /** Where the caller reached the API, without a slash at the end. */
  baseUrl: string;
  /** Rejects with the route's 429 once it is known that the caller is over the limit. */
  rateLimitPassed: Promise<void>;
}

/** Who sent the request, as far as the network knows. */
export interface Client {
  /** What API Gateway saw; 'Unknown' when it did not say. */
  address: string;
  userAgent: string | undefined;
}

export type Output<R extends Route> = output<R['response']>;

/** An answer that is no plain JSON of the route's schema: a page, a redirect, another status. */
export class Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Each a `Set-Cookie` of its own. */
  readonly cookies: readonly string[];
  /** Bytes travel as Base64, which API Gateway decodes for the content types it takes as binary. */
  readonly body: string | Uint8Array;

  constructor(
    status: number,
    more: { headers?: Record<string, string>; cookies?: readonly string[]; body?: string | Uint8Array } = {},
  ) {
    this.status = status;
    this.headers = more.headers ?? {};
    this.cookies = more.cookies ?? [];
    this.body = more.body ?? '';
  }
}

export const defaultMaxBodyBytes = 64 * 1024;

/** The codes a route can answer with, each once. */
export function errorCodes(route: Route): ErrorCode[] {
  const { invalid, limited, failed, also = [] } = route.errors;
  return [...new Set([invalid, limited, failed, ...also].filter((code) => code !== undefined))];
}
