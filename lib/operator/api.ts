import { defined } from '../../functions/shared/contract/defined.ts';
import type { Method } from '../../functions/shared/contract/route.ts';
import { UsageError } from './arguments.ts';

const timeoutMs = 35_000;
const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

/** The command failed, for the reason in `message`. */
export class CommandFailed extends Error {}

/** A request to the API. */
export interface Request {
  method: Method;
  /** The path with its parameters filled in, and the query. */
  target: string;
  body?: unknown;
}

/** The base URL of the API and the operator key. */
export interface Connection {
  url: string;
  key: string;
}

/**
 * Reads the base URL and the operator key from the environment.
 *
 * @throws UsageError that says where to get them.
 */
export function connectionFrom(env: Record<string, string | undefined>, urlOption?: string): Connection {
  const url = (urlOption ?? (env.VOUCHSAFE_URL || `http://localhost:${env.PORT || 3000}`)).replace(
    /\/+$/,
    '',
  );
  const { protocol, hostname, search, hash, username } = URL.canParse(url) ? new URL(url) : noUrl;
  if (!/^https?:$/.test(protocol) || search + hash + username !== '') {
    throw new UsageError('--url (or VOUCHSAFE_URL) must be like https://api.example.com');
  }
  if (protocol === 'http:' && !loopback.has(hostname)) {
    throw new UsageError('Over http the operator key could be read in transit: use https.');
  }
  const key = env.VOUCHSAFE_OPERATOR_KEY?.trim() ?? '';
  if (!/^vok_[\w-]+$/.test(key)) {
    throw new UsageError(
      [
        key === ''
          ? 'VOUCHSAFE_OPERATOR_KEY is not set.'
          : 'VOUCHSAFE_OPERATOR_KEY is not an operator key (vok_...).',
        `The local stack shows one as operatorKey at ${url}/_local/demo`,
        'For a deployed stack, create one with: npm run operator -- bootstrap --table <table>',
      ].join('\n'),
    );
  }
  return { url, key };
}

const noUrl = { protocol: '', hostname: '', search: '', hash: '', username: '' };

/**
 * Sends a request.
 *
 * @returns the JSON of the response.
 * @throws CommandFailed with the complete error of the API, or the reason why there is no response.
 */
export async function send({ url, key }: Connection, { method, target, body }: Request): Promise<unknown> {
  const response = await fetch(url + target, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...defined({ 'content-type': body === undefined ? undefined : 'application/json' }),
    },
    ...defined({ body: body === undefined ? undefined : JSON.stringify(body) }),
    // A redirect could send the key to another host.
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  }).catch((error: unknown) => {
    throw new CommandFailed(unreachable(url, error));
  });
  const text = await response.text();
  const json = parseObject(text);
  if (json === undefined) {
    throw new CommandFailed(
      `${url} answered ${response.status}, but not as Vouchsafe does. Is the address right?`,
    );
  }
  if (!response.ok) throw new CommandFailed(errorText(json, response));
  return json;
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function unreachable(url: string, error: unknown): string {
  const { name, cause } = error as Error & { cause?: { code?: string } };
  if (name === 'TimeoutError') return `${url} did not answer within ${timeoutMs / 1000} seconds.`;
  return [
    `Nothing can be reached at ${url} (${cause?.code ?? name}).`,
    'Start a local stack with npm start, or set --url or VOUCHSAFE_URL to the URL of the API.',
  ].join('\n');
}

function errorText(json: Record<string, unknown>, response: Response): string {
  const { error, message, details } = json as { error?: unknown; message?: unknown; details?: object };
  const auditId = response.headers.get('x-audit-id');
  return [
    `${response.status} ${error}${message === undefined ? '' : `: ${message}`}`,
    ...Object.entries(details ?? {}).map(([field, reason]) => `  ${field}: ${text(reason)}`),
    ...(response.status === 401 ? ['The key was read from VOUCHSAFE_OPERATOR_KEY.'] : []),
    ...(auditId === null ? [] : [`  audit id: ${auditId}`]),
  ].join('\n');
}

const text = (reason: unknown) => (typeof reason === 'string' ? reason : JSON.stringify(reason));
