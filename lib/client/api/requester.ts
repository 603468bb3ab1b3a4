/*! With openapi-fetch, MIT License, Copyright (c) 2023 Drew Powers */
import createFetch from 'openapi-fetch';
import type { Signal } from '../share/signal.ts';
import { contentOf, errorOf, type Stage, unanswered } from './answer.ts';
import { VouchsafeError } from './error.ts';
import { cursorOf, type OperationRow } from './operation-row.ts';
import { systemRuntime, waitBeforeRetry, withinMs } from './retry.ts';
import type { RequestOptions, Runtime } from './types.ts';

/** The kinds of secrets by prefix. Operations take the first four. */
const kinds: Readonly<Record<string, string>> = {
  vak: 'an API key',
  vcs: 'a client secret',
  vok: 'an operator key',
  vat: 'an access token',
  vrt: 'a refresh token',
  vac: 'an authorization code',
  vdt: 'a device token',
  vsr: 'a receipt token',
  vet: 'an enrolment token',
  whsec: 'the secret of a webhook',
};

/** Secrets of an application or an operator. Everybody who opens a page could read them there. */
const ofServers: ReadonlySet<string | undefined> = new Set(['vak', 'vcs', 'vok', 'whsec']);

/**
 * The kind of a key by its prefix; undefined for one that this version does not know, which the service judges.
 *
 * @throws {VouchsafeError} `wrong_key` for a text that no header can carry, and in a page for a secret of a server
 */
function kindOf(key: string): string | undefined {
  // JavaScript passes `null` for a variable that is not set.
  if (typeof key !== 'string' || key === '') throw wrongKey('The key is empty.');
  if (!/^[\x21-\x7e]+$/.test(key)) throw wrongKey('The key has characters that no key has.');
  const prefix = key.split('_', 1)[0] ?? '';
  const kind = Object.hasOwn(kinds, prefix) ? prefix : undefined;
  if (ofServers.has(kind) && 'document' in globalThis && 'window' in globalThis) {
    throw wrongKey(`This page has ${named(prefix)}: everybody who opens it can read it. Use it on a server.`);
  }
  return kind;
}

/** Whether an operation is sent with the key. @throws {VouchsafeError} `wrong_key`, which names the right kinds */
function takesKey(
  { method, path, keys, optionalKey, actsFor }: OperationRow,
  {
    key,
    kind,
    applicationId,
  }: { key: string | undefined; kind: string | undefined; applicationId: string | undefined },
): boolean {
  if (keys.length === 0) return false;
  const isRight = key !== undefined && (kind === undefined || keys.includes(kind));
  if (!isRight && !optionalKey) {
    const found = kind === undefined ? 'no key' : named(kind);
    throw wrongKey(`${method} ${path} needs ${keys.map(named).join(' or ')}, and this client has ${found}.`);
  }
  if (isRight && actsFor && kind === 'vok' && applicationId === undefined) {
    throw wrongKey(
      `${method} ${path} with an operator key needs the applicationId that the operator acts for.`,
    );
  }
  return isRight;
}

const named = (prefix: string) => `${kinds[prefix]} (${prefix}_...)`;

const wrongKey = (message: string) => new VouchsafeError('wrong_key', message);

/** A request has 35 seconds by default, somewhat longer than the service takes at most. */
export interface ClientOptions extends Pick<RequestOptions, 'applicationId' | 'timeoutMs'> {
  /** The address of the API, such as `https://api.example.com`. */
  url: string;
  /** An API key, a client secret, an operator key or an access token. */
  key?: string | undefined;
  /** Of a call with its repeats, in milliseconds: two minutes by default. */
  totalMs?: number | undefined;
  /** Requests of one call at most: 3 by default, and 1 for no repeat. */
  maxTries?: number | undefined;
  /** Takes a `Request`. The `fetch` of the page or the process by default. */
  fetch?: ((request: never) => PromiseLike<unknown>) | undefined;
  runtime?: Runtime | undefined;
}

export type Fields = Readonly<Record<string, unknown>>;
/** Carries out an operation. Rejects with a `VouchsafeError`. */
export type Requester = (row: OperationRow, input?: Fields, options?: RequestOptions) => Promise<unknown>;

/**
 * Sends the requests of operations that are given as data.
 *
 * @throws {VouchsafeError} `wrong_key` for a key that cannot be used here.
 */
export function createRequester({
  url,
  key,
  applicationId: ownApplicationId,
  timeoutMs: ownTimeoutMs = 35_000,
  totalMs = 120_000,
  maxTries = 3,
  fetch = (request: never) => globalThis.fetch(request),
  runtime = systemRuntime,
}: ClientOptions): Requester {
  const kind = key === undefined ? undefined : kindOf(key);

  return async (row, input = {}, options = {}) => {
    const { applicationId = ownApplicationId, timeoutMs = ownTimeoutMs, signal } = options;
    const hasKey = takesKey(row, { key, kind, applicationId });
    requirePath(row, input);
    const idempotencyKey = options.idempotencyKey ?? (row.idempotent ? crypto.randomUUID() : undefined);
    const accept = options.accept ?? 'application/json';
    const headers = Object.assign(
      { accept },
      hasKey && { authorization: `Bearer ${key}` },
      hasKey && kind === 'vok' && applicationId !== undefined && { 'x-application-id': applicationId },
      row.idempotent && { 'idempotency-key': idempotencyKey },
      hasKey &&
        kind === 'vok' &&
        options.reason !== undefined && { 'x-reason': encodeURIComponent(options.reason) },
      row.form && { 'content-type': 'application/x-www-form-urlencoded' },
      options.headers,
    );
    const request = { url, row, input, headers, accept, fetch };
    const canRepeat = row.method === 'GET' ? !row.once : row.idempotent;
    const end = runtime.now() + totalMs;
    for (let tries = 1; ; tries += 1) {
      const limitMs = Math.min(timeoutMs, Math.max(end - runtime.now(), 0));
      const outcome = await attempt(request, limitMs, signal, runtime);
      if (!(outcome instanceof VouchsafeError)) return outcome;
      const waitMs =
        canRepeat && tries < maxTries ? waitBeforeRetry(outcome, tries, runtime.random()) : undefined;
      if (waitMs === undefined || runtime.now() + waitMs >= end) throw outcome;
      await runtime.sleep(waitMs, signal);
      if (signal?.aborted) throw signal.reason;
    }
  };
}

interface PreparedRequest {
  url: string;
  row: OperationRow;
  input: Fields;
  headers: Record<string, string>;
  accept: string;
  fetch(request: Request): PromiseLike<unknown>;
}

/** Any operation. The types of openapi-fetch follow a document by its paths; here an operation is known by its name. */
interface AnyPath {
  get: {
    parameters: { path: Fields; query: Fields };
    requestBody?: { content: { 'application/json': Fields } };
    responses: { 200: { content: { 'application/json': unknown } } };
  };
}

/** Sends a request once. @throws the reason of the caller's signal */
function attempt(
  { url, row, input, headers, accept, fetch }: PreparedRequest,
  limitMs: number,
  signal: Signal | undefined,
  runtime: Runtime,
): Promise<unknown> {
  return withinMs(limitMs, signal, runtime, async (limit, isOver) => {
    let stage: Stage = 'prepared';
    const core = createFetch<Record<string, AnyPath>>({
      baseUrl: url,
      fetch: async (request) => {
        stage = 'sent';
        const response = await fetch(request);
        stage = 'answered';
        return response as Response;
      },
    });
    try {
      const { data, error, response } = await core.request(row.method as 'get', row.path, {
        ...parts(row, input),
        headers,
        signal: limit,
        parseAs: accept === 'application/json' ? 'text' : 'arrayBuffer',
        cache: 'no-store',
        credentials: 'omit',
        // A redirected request would carry the key to another address.
        redirect: 'manual',
      });
      if (!response.ok) return errorOf(response, error, runtime.now());
      if (response.status === 204) return undefined;
      const content = contentOf(response, data, accept, cursorOf(row));
      return content ?? errorOf(response, undefined, runtime.now());
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      if (!isOver()) return unanswered(error, stage);
      const message = `No complete answer arrived within ${limitMs / 1_000} seconds.`;
      return new VouchsafeError('timeout', message, { cause: error });
    }
  });
}

/**
 * A parameter that is missing, an object, or dots alone, would name another path.
 *
 * @throws {VouchsafeError} `invalid_request`
 */
function requirePath({ method, path }: OperationRow, input: Fields): void {
  for (const [, name = ''] of path.matchAll(/\{([^}]+)\}/g)) {
    const value = input[name];
    if (typeof value !== 'object' && /[^.]/.test(String(value ?? ''))) continue;
    const details = { [name]: 'is required' };
    throw new VouchsafeError('invalid_request', `${method} ${path} needs ${name}.`, { details });
  }
}

function parts({ method, path }: OperationRow, input: Fields) {
  const entries = Object.entries(input);
  const inPath = (name: string) => path.includes(`{${name}}`);
  const rest = Object.fromEntries(entries.filter(([name]) => !inPath(name)));
  const isRead = method === 'GET' || method === 'DELETE';
  const params = { path: input, query: isRead ? rest : {} };
  return isRead ? { params } : { params, body: rest };
}
