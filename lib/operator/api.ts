import { defined } from '../../functions/shared/contract/defined.ts';
import type { Method } from '../../functions/shared/contract/route.ts';
import { UsageError } from './arguments.ts';

const timeoutMs = 35_000;
const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

/** What scripts read of a failed command. */
export interface Failure {
  /** Of the API, or of the command line: `unreachable`, `timeout`, `not_vouchsafe`, `table_failed`. */
  code: string;
  status?: number;
  /** What to do, or which fields are wrong. */
  details?: Readonly<Record<string, unknown>>;
  auditId?: string;
  next: string;
}

/** The command failed, for the reason in `message`. */
export class CommandFailed extends Error {
  readonly failure: Failure;

  constructor(message: string, failure: Failure) {
    super(message);
    this.failure = failure;
  }
}

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
    throw unreachable(url, error);
  });
  const text = await response.text();
  const json = parseObject(text);
  if (json === undefined) {
    throw new CommandFailed(
      `${url} answered ${response.status}, but not as Vouchsafe does. Is the address right?`,
      {
        code: 'not_vouchsafe',
        status: response.status,
        next: 'Set --url or VOUCHSAFE_URL to the URL of the API.',
      },
    );
  }
  if (!response.ok) throw new CommandFailed(errorText(json, response), failureOf(json, response));
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

function unreachable(url: string, error: unknown): CommandFailed {
  const { name, cause } = error as Error & { cause?: { code?: string } };
  if (name === 'TimeoutError') {
    const next = 'Try again. The command may have been executed.';
    return new CommandFailed(`${url} did not answer within ${timeoutMs / 1000} seconds.`, {
      code: 'timeout',
      next,
    });
  }
  const next = 'Start a local stack with npm start, or set --url or VOUCHSAFE_URL to the URL of the API.';
  const reason = `Nothing can be reached at ${url} (${cause?.code ?? name}).`;
  return new CommandFailed(`${reason}\n${next}`, { code: 'unreachable', next });
}

/** What to do next, by the code of the API. */
const nextSteps: Readonly<Record<string, string>> = {
  invalid_request: 'Correct the fields that details name.',
  invalid_token: 'Set VOUCHSAFE_OPERATOR_KEY to a valid operator key.',
  not_found: 'Check the ids.',
  conflict: 'Read the record again, then decide whether to repeat the command.',
  rate_limited: 'Wait, then repeat the command.',
};

function failureOf(json: Record<string, unknown>, response: Response): Failure {
  const { error, details } = json as { error?: unknown; details?: Record<string, unknown> };
  const code = String(error);
  const auditId = response.headers.get('x-audit-id') ?? undefined;
  const forOperators = 'Search the logs for the audit id, or try again later.';
  return {
    code,
    status: response.status,
    ...defined({ details, auditId }),
    next: nextSteps[code] ?? forOperators,
  };
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
