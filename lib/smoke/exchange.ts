import { defined } from '../../functions/shared/contract/defined.ts';

export const timeoutSeconds = 35;

/** A response, with its body as text and, when it is a JSON object, parsed. */
export interface ReceivedResponse {
  status: number;
  headers: Headers;
  text: string;
  json: Record<string, unknown> | undefined;
}

/** There is no complete response. */
export class NoAnswer extends Error {
  /** `unreachable` when no request was sent, `broken` when the connection ended before the response did. */
  readonly kind: 'unreachable' | 'broken' | 'timeout';
  /** The code of the cause, such as ECONNREFUSED. */
  readonly code: string;

  constructor(kind: NoAnswer['kind'], code: string) {
    super(reasons[kind](code));
    this.kind = kind;
    this.code = code;
  }
}

const reasons = {
  unreachable: (code: string) => `no response (${code})`,
  broken: (code: string) => `the connection broke before the end of the response (${code})`,
  timeout: () => `no complete response within ${timeoutSeconds} seconds`,
};

/** Codes of connections that end after the request may have been sent. */
const brokenCodes = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

/**
 * Sends a request and reads the whole response. It follows no redirect, which could send a key to another host.
 *
 * @param body sent as JSON.
 * @throws NoAnswer
 */
export async function exchange(
  url: string,
  method: string,
  { body, headers = {} }: { body?: unknown; headers?: Record<string, string> } = {},
): Promise<ReceivedResponse> {
  const response = await fetch(url, {
    method,
    headers: {
      ...defined({ 'content-type': body === undefined ? undefined : 'application/json' }),
      ...headers,
    },
    ...defined({ body: body === undefined ? undefined : JSON.stringify(body) }),
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutSeconds * 1000),
  }).catch((error: unknown) => {
    throw noAnswer(error, (code) => (brokenCodes.has(code) ? 'broken' : 'unreachable'));
  });
  const text = await response.text().catch((error: unknown) => {
    throw noAnswer(error, () => 'broken');
  });
  return { status: response.status, headers: response.headers, text, json: parseObject(text) };
}

function noAnswer(error: unknown, kindOf: (code: string) => NoAnswer['kind']): NoAnswer {
  const { name, cause } = error as Error & { cause?: { code?: string } };
  const code = cause?.code ?? name;
  return new NoAnswer(name === 'TimeoutError' ? 'timeout' : kindOf(code), code);
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
