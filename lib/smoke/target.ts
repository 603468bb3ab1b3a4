import { connect } from 'node:tls';
import { defined } from '../../functions/shared/contract/defined.ts';

const timeoutMs = 35_000;

/** A response, with its body as text and, when it is JSON, parsed. */
export interface ReceivedResponse {
  status: number;
  headers: Headers;
  text: string;
  json: Record<string, unknown> | undefined;
}

/** A deployment, or a local stack. */
export interface Target {
  /** The address of the API, without a slash at its end. */
  readonly url: string;
  readonly operatorKey: string | undefined;
  /** The application that the operator key reads. */
  readonly applicationId: string | undefined;
}

/** Sends a request. @throws Error when there is no response, with the reason. */
export async function request(
  { url }: Target,
  method: string,
  path: string,
  { body, headers = {} }: { body?: unknown; headers?: Record<string, string> } = {},
): Promise<ReceivedResponse> {
  const response = await fetch(url + path, {
    method,
    headers: {
      ...defined({ 'content-type': body === undefined ? undefined : 'application/json' }),
      ...headers,
    },
    ...defined({ body: body === undefined ? undefined : JSON.stringify(body) }),
    // A redirect could send the operator key to another host.
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  }).catch((error: unknown) => {
    const { name, cause } = error as Error & { cause?: { code?: string } };
    throw new Error(`no response (${cause?.code ?? name})`);
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: parseObject(text) };
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Makes a TLS handshake with one version of the protocol.
 *
 * @returns whether the server accepts it.
 * @throws Error when the server cannot be reached, or its certificate is not valid.
 */
export function acceptsTls(url: URL, version: 'TLSv1.2' | 'TLSv1.3'): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = connect({
      host: url.hostname,
      servername: url.hostname,
      port: Number(url.port || 443),
      minVersion: version,
      maxVersion: version,
      timeout: timeoutMs,
    });
    const end = (settle: () => void) => {
      socket.destroy();
      settle();
    };
    socket.once('secureConnect', () => end(() => resolve(true)));
    socket.once('timeout', () => end(() => reject(new Error('no response (timeout)'))));
    socket.once('error', (error: NodeJS.ErrnoException) =>
      end(() => (isRefusal(error) ? resolve(false) : reject(new Error(`no handshake (${error.code})`)))),
    );
  });
}

/** A server refuses a version with an alert (RFC 8446, section 6). */
function isRefusal({ code = '' }: NodeJS.ErrnoException): boolean {
  return /^ERR_SSL_.*(PROTOCOL_VERSION|HANDSHAKE_FAILURE|UNSUPPORTED_PROTOCOL)/.test(code);
}
