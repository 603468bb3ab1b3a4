import type { Method } from '../../functions/shared/contract/route.ts';
import { UsageError } from './arguments.ts';

const timeoutMs = 35_000;
const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

/** It was not done, for the reason in `message`. */
export class Refused extends Error {}

export interface Request {
  method: Method;
  /** With its segments filled in and the query. */
  target: string;
  body?: unknown;
}

/** Where the API is, and the key to it. */
export interface Access {
  url: string;
  key: string;
}

/**
 * Takes address and key from the environment.
 * @throws UsageError which says where to get them.
 */
export function accessOf(env: Record<string, string | undefined>, givenUrl?: string): Access {
  const url = (givenUrl ?? (env.VOUCHSAFE_URL || 'http://localhost:3000')).replace(/\/+$/, '');
  const { protocol, hostname, search, hash, username } = URL.canParse(url) ? new URL(url) : noUrl;
  if (!/^https?:$/.test(protocol) || search + hash + username !== '') {
    throw new UsageError('--url (or VOUCHSAFE_URL) must be like https://api.example.com');
  }
  if (protocol === 'http:' && !loopback.has(hostname)) {
    throw new UsageError('Over http everybody on the way could read the operator key: use https.');
  }
  const key = env.VOUCHSAFE_OPERATOR_KEY?.trim() ?? '';
  if (!/^vok_[\w-]+$/.test(key)) {
    throw new UsageError(
      [
        key === ''
          ? 'VOUCHSAFE_OPERATOR_KEY is not set.'
          : 'VOUCHSAFE_OPERATOR_KEY is no operator key (vok_...).',
        `The local stack shows one, as operatorKey: ${url}/_local/demo`,
        'A deployed stack gets its first from: npm run operator -- bootstrap --table <table>',
      ].join('\n'),
    );
  }
  return { url, key };
}

const noUrl = { protocol: '', hostname: '', search: '', hash: '', username: '' };

/**
 * Sends a request.
 *
 * @returns the answer's JSON.
 * @throws Refused with all that the API says of it.
 */
export async function send({ url, key }: Access, { method, target, body }: Request): Promise<unknown> {
  const response = await fetch(url + target, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    // A redirect could carry the key elsewhere.
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  }).catch((error: unknown) => {
    throw new Refused(unreachable(url, error));
  });
  const text = await response.text();
  const answer = parsed(text);
  if (answer === undefined) {
    throw new Refused(`${url} answered ${response.status}, but not as Vouchsafe does. Is the address right?`);
  }
  if (!response.ok) throw new Refused(refusal(answer, response));
  return answer;
}

function parsed(text: string): Record<string, unknown> | undefined {
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
    'npm start runs it on this machine; --url or VOUCHSAFE_URL says where it is otherwise.',
  ].join('\n');
}

function refusal(answer: Record<string, unknown>, response: Response): string {
  const { error, message, details } = answer as { error?: unknown; message?: unknown; details?: object };
  const auditId = response.headers.get('x-audit-id');
  return [
    `${response.status} ${error}${message === undefined ? '' : `: ${message}`}`,
    ...Object.entries(details ?? {}).map(([field, reason]) => `  ${field}: ${text(reason)}`),
    ...(response.status === 401 ? ['VOUCHSAFE_OPERATOR_KEY holds the key that was sent.'] : []),
    ...(auditId === null ? [] : [`  audit id: ${auditId}`]),
  ].join('\n');
}

const text = (reason: unknown) => (typeof reason === 'string' ? reason : JSON.stringify(reason));
