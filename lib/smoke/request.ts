import { once } from 'node:events';
import { connect } from 'node:tls';
import { defined } from '../../functions/shared/contract/defined.ts';
import { isObject } from '../../functions/shared/contract/merge-patch.ts';

const timeoutMs = 35_000;

/** A response, with its body as text and, when it is a JSON object, parsed. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: Readonly<Record<string, unknown>>;
}

/** There is no complete response. */
export class NoAnswer extends Error {}

/** The server refuses further requests for a while. */
export class RateLimited extends Error {
  readonly retryAfter: string;

  constructor(retryAfter: string | null) {
    super('status 429: too many requests');
    // The header may also be a date (RFC 9110, section 10.2.3). Vouchsafe sends seconds.
    this.retryAfter = /^\d+$/.test(retryAfter ?? '') ? `${retryAfter} seconds` : 'a minute';
  }
}

/**
 * Sends a request and reads the whole response. It follows no redirect, which could send a key to another host.
 *
 * @param body sent as JSON.
 * @throws NoAnswer, RateLimited.
 */
export async function request(
  url: string,
  method: string,
  { body, headers = {} }: { body?: unknown; headers?: Readonly<Record<string, string>> } = {},
): Promise<Answer> {
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  const init = {
    method,
    headers: Object.assign(type, headers),
    ...defined({ body: body === undefined ? undefined : JSON.stringify(body) }),
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  } as const;
  try {
    const response = await fetch(url, init);
    const text = await response.text();
    if (response.status === 429) throw new RateLimited(response.headers.get('retry-after'));
    return { status: response.status, headers: response.headers, text, json: parsed(text) };
  } catch (error) {
    if (error instanceof RateLimited) throw error;
    throw new NoAnswer(`no complete response (${reasonOf(error)})`);
  }
}

function parsed(text: string): Answer['json'] {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/**
 * Makes a TLS handshake with one version of the protocol.
 *
 * @returns whether the server accepts it.
 * @throws NoAnswer when the server cannot be reached, or its certificate is not valid.
 */
export async function acceptsTls({ hostname, port }: URL, version: 'TLSv1.2' | 'TLSv1.3'): Promise<boolean> {
  const versions = { minVersion: version, maxVersion: version };
  const socket = connect({ host: hostname, servername: hostname, port: Number(port || 443), ...versions });
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.timeout(timeoutMs) });
    return true;
  } catch (error) {
    const reason = reasonOf(error);
    // A server refuses a version with an alert (RFC 8446, section 6).
    if (/^ERR_SSL_.*(PROTOCOL_VERSION|HANDSHAKE_FAILURE|UNSUPPORTED_PROTOCOL)/.test(reason)) return false;
    throw new NoAnswer(`no handshake (${reason})`);
  } finally {
    socket.destroy();
  }
}

/** The code of the system, such as ECONNREFUSED, which Node.js keeps in the error or its cause; or the name of the error. */
function reasonOf(error: unknown): string {
  const { name, cause } = error instanceof Error ? error : new Error(String(error));
  const code = [error, cause].map((one) => Object(one).code).find((one) => typeof one === 'string');
  return code ?? name;
}
