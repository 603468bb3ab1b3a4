import { connect } from 'node:tls';
import { exchange, type ReceivedResponse, timeoutSeconds } from './exchange.ts';

/** A deployment, or a local stack. */
export interface Target {
  /** The address of the API, without a slash at its end. */
  readonly url: string;
  readonly operatorKey: string | undefined;
}

/** The server refuses further requests for a while. */
export class RateLimited extends Error {
  /** The next action. */
  readonly next: string;

  constructor(retryAfter: string | null) {
    super('status 429: too many requests');
    // The header may also be a date (RFC 9110, section 10.2.3). Vouchsafe sends seconds.
    const time = /^\d+$/.test(retryAfter ?? '') ? `${retryAfter} seconds` : 'a minute';
    this.next = `Wait ${time}, then run the checks again.`;
  }
}

/**
 * Sends a request.
 *
 * @throws NoAnswer with the reason why there is no response, RateLimited.
 */
export async function request(
  { url }: Target,
  method: string,
  path: string,
  options: { body?: unknown; headers?: Record<string, string> } = {},
): Promise<ReceivedResponse> {
  const answer = await exchange(url + path, method, options);
  if (answer.status === 429) throw new RateLimited(answer.headers.get('retry-after'));
  return answer;
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
      timeout: timeoutSeconds * 1000,
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
