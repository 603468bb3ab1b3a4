/**
 * The only module that sends requests to addresses that strangers choose.
 *
 * A request goes to a public address, or not at all. The name is resolved once; every address of the answer is checked, and
 * the connection goes to one of these. So no second answer of a name server leads elsewhere, and no redirect does, because
 * redirects are not followed.
 */

import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest, type RequestOptions } from 'node:https';
import { isIP } from 'node:net';
import { defined } from '../../shared/contract/defined.ts';
import { elapsedMs, secondMs } from '../../shared/runtime/clock.ts';
import * as env from '../../shared/runtime/env.ts';
import { excerpt } from './answer.ts';
import type { SendError } from './send-errors.ts';
import { hostnameOf, isAllowedUrl, refusalOf } from './target.ts';

export interface Answer {
  status?: number;
  error?: SendError;
  retryAfter?: string;
  /** The beginning of the body. Absent when it is empty. */
  body?: string;
  durationMs: number;
}

/** The network on which a request depends. */
export interface Network {
  resolve: (hostname: string) => Promise<LookupAddress[]>;
  /** Whether plain HTTP and loopback addresses are allowed: on the local stack alone. */
  allowsLoopback: boolean;
  /** How long a request may take, from the resolution of the name to the end of the answer. */
  limitMs: number;
  /** Further properties of the connection, such as the certificates that a test trusts. */
  connection?: Pick<RequestOptions, 'ca'>;
}

const sendLimitMs = 15 * secondMs;

const maxBodyBytes = 64 * 1_024;

/** The network as the operating system knows it. Names are resolved as `getaddrinfo` does, with no cache. */
export const systemNetwork = (allowsLoopback: boolean): Network => ({
  resolve: (hostname) => lookup(hostname, { all: true, verbatim: true }),
  allowsLoopback,
  limitMs: sendLimitMs,
});

/**
 * Posts a body to an address, once.
 *
 * The status decides what the answer means. The body is read for the record alone: to 64 KB, within the same limit of time.
 * An answer that breaks off, or never ends, still has its status. Nothing is decompressed, and no connection is used twice.
 *
 * @returns always; an error is a part of the answer.
 */
export async function send(
  { url, headers, body }: { url: string; headers: Readonly<Record<string, string>>; body: string },
  network: Network = systemNetwork(env.webhookLoopback()),
): Promise<Answer> {
  const startedMs = elapsedMs();
  const signal = AbortSignal.timeout(network.limitMs);
  const answer = await exchange({ url: new URL(url), headers, body, signal }, network).catch(
    (error: unknown): Omit<Answer, 'durationMs'> => {
      if (signal.aborted) return { error: 'timeout' };
      if (error instanceof Unsent) return { error: error.kind };
      throw error;
    },
  );
  return { ...answer, durationMs: Math.round(elapsedMs() - startedMs) };
}

/** Why a request was not sent, or not answered. */
class Unsent extends Error {
  readonly kind: SendError;

  constructor(kind: SendError, cause?: unknown) {
    super(kind, { cause });
    this.kind = kind;
  }
}

interface Outgoing {
  url: URL;
  headers: Readonly<Record<string, string>>;
  body: string;
  signal: AbortSignal;
}

async function exchange(outgoing: Outgoing, network: Network): Promise<Omit<Answer, 'durationMs'>> {
  const addresses = await checkedAddresses(outgoing, network);
  const response = await respond(outgoing, addresses, network.connection);
  const { statusCode = 0 } = response;
  const bytes = await beginningOf(response, outgoing.signal);
  return defined({
    status: statusCode,
    error: statusCode >= 300 && statusCode < 400 ? ('redirect' as const) : undefined,
    retryAfter: response.headers['retry-after'],
    body: excerpt(bytes) || undefined,
  });
}

async function checkedAddresses(
  { url, signal }: Outgoing,
  { resolve, allowsLoopback }: Network,
): Promise<LookupAddress[]> {
  if (!isAllowedUrl(url, allowsLoopback)) throw new Unsent('refused_address');
  const hostname = hostnameOf(url);
  const family = isIP(hostname);
  const addresses =
    family === 0 ? await resolved(hostname, resolve, signal) : [{ address: hostname, family }];
  const refused = refusalOf(
    url,
    addresses.map(({ address }) => address),
    allowsLoopback,
  );
  if (refused !== undefined) throw new Unsent(refused);
  return addresses;
}

/** A resolution cannot be cancelled: it ends unheard when the time is up. */
async function resolved(
  hostname: string,
  resolve: Network['resolve'],
  signal: AbortSignal,
): Promise<LookupAddress[]> {
  const { promise: timeUp, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(new Unsent('timeout'));
  signal.addEventListener('abort', onAbort);
  try {
    return await Promise.race([resolve(hostname), timeUp]);
  } catch (error) {
    throw error instanceof Unsent ? error : new Unsent('dns', error);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

function respond(
  { url, headers, body, signal }: Outgoing,
  addresses: readonly LookupAddress[],
  connection: Network['connection'],
): Promise<IncomingMessage> {
  const isPlain = url.protocol === 'http:';
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const request = (isPlain ? httpRequest : httpsRequest)({
    ...connection,
    method: 'POST',
    hostname: hostnameOf(url),
    port: url.port || (isPlain ? 80 : 443),
    path: `${url.pathname}${url.search}`,
    headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
    signal,
    // An agent of its own: no connection that was used before, and no proxy of the environment.
    agent: false,
    // Named here, so that NODE_TLS_REJECT_UNAUTHORIZED cannot switch it off.
    rejectUnauthorized: true,
    lookup: (_, options, callback) => {
      const [first] = addresses;
      if (options.all) callback(null, [...addresses]);
      else callback(null, first?.address ?? '', first?.family);
    },
  });
  let isConnected = false;
  let isSecure = false;
  request.on('socket', (socket) => {
    socket.once('connect', () => {
      isConnected = true;
    });
    socket.once('secureConnect', () => {
      isSecure = true;
    });
  });
  request.on('error', (error: Error & { code?: string }) => {
    const failsInTls = !isPlain && isConnected && !isSecure;
    if (failsInTls) reject(new Unsent('tls', error));
    else reject(new Unsent(error.code?.startsWith('HPE_') ? 'protocol' : 'connection', error));
  });
  request.on('upgrade', (response, socket) => {
    socket.destroy();
    resolve(response);
  });
  request.on('response', resolve);
  request.end(body);
  return promise;
}

/** The first 64 KB of an answer, or less when it breaks off or the time is up. Closes the connection. */
async function beginningOf(response: IncomingMessage, signal: AbortSignal): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= maxBodyBytes || signal.aborted) break;
    }
  } catch {
    // The status has come. What is missing is a part of the record.
  } finally {
    response.destroy();
  }
  return Buffer.concat(chunks).subarray(0, maxBodyBytes);
}
