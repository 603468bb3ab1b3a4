import { defined } from '../../functions/shared/contract/defined.ts';
import type { Method } from '../../functions/shared/contract/route.ts';
import { isReadableInTransit, parseAddress } from './address.ts';
import { UsageError } from './arguments.ts';
import { exchange, NoAnswer, type ReceivedResponse, timeoutSeconds } from './exchange.ts';
import { printable } from './print.ts';

/** The fields of a failed command that scripts read. */
export interface Failure {
  /** Of the API, or of the command line: `unreachable`, `timeout`, `not_vouchsafe`, `table_failed`. */
  code: string;
  status?: number;
  /** The next action, or the fields that are wrong. */
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
  /** The application that the operator acts for. */
  applicationId?: string;
  /** The media types that the response can have; by default any. */
  accept?: string;
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
  const url = parseAddress(urlOption ?? (env.VOUCHSAFE_URL || `http://localhost:${env.PORT || 3000}`));
  if (url === undefined)
    throw new UsageError('--url (or VOUCHSAFE_URL) must be like https://api.example.com');
  if (isReadableInTransit(url)) {
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
        'For a deployed stack, create one with: npm run operator -- bootstrap --table <table> --name <person>',
      ].join('\n'),
    );
  }
  return { url, key };
}

/** @throws UsageError for an id that cannot be sent: it goes into a header, which takes no other characters. */
export function requireApplicationId(text: string): string {
  if (!/^[\x21-\x7e]+$/.test(text)) throw new UsageError('The application is not an id.');
  return text;
}

/**
 * Sends a request.
 *
 * @returns the JSON of the response.
 * @throws CommandFailed with the complete error of the API, or the reason why there is no response.
 */
export async function send(connection: Connection, request: Request): Promise<unknown> {
  const answer = await receive(connection, request);
  if (answer.json === undefined) throw notVouchsafe(connection, answer);
  return answer.json;
}

/**
 * Sends a request whose response is a page in a format other than JSON.
 *
 * @returns the page, and the cursor of the next one, from the header `Link` (RFC 8288).
 * @throws CommandFailed as `send`.
 */
export async function sendForText(
  connection: Connection,
  request: Request,
): Promise<{ text: string; nextCursor: string | undefined }> {
  const answer = await receive(connection, request);
  // Such as the page of a proxy.
  if (!/^text\/(csv|plain)\b/.test(answer.headers.get('content-type') ?? ''))
    throw notVouchsafe(connection, answer);
  const next = /^<([^>]+)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1];
  const nextCursor = next === undefined ? null : new URL(next).searchParams.get('cursor');
  return { text: answer.text, nextCursor: nextCursor ?? undefined };
}

/** @throws CommandFailed for a response that is no success, or none at all. */
async function receive(
  connection: Connection,
  { method, target, body, applicationId, accept }: Request,
): Promise<ReceivedResponse> {
  const { url, key } = connection;
  const headers = defined({ authorization: `Bearer ${key}`, 'x-application-id': applicationId, accept });
  const answer = await exchange(url + target, method, { body, headers }).catch((error: unknown) => {
    throw error instanceof NoAnswer ? unanswered(url, error) : error;
  });
  const { status, json } = answer;
  if (status >= 200 && status <= 299) return answer;
  if (json === undefined) throw notVouchsafe(connection, answer);
  throw new CommandFailed(errorText(json, answer), failureOf(json, answer));
}

const notVouchsafe = ({ url }: Connection, { status }: ReceivedResponse) =>
  new CommandFailed(`${url} answered ${status}, but not as Vouchsafe does. Is the address right?`, {
    code: 'not_vouchsafe',
    status,
    next: 'Set --url or VOUCHSAFE_URL to the URL of the API.',
  });

function unanswered(url: string, { kind, code }: NoAnswer): CommandFailed {
  if (kind === 'unreachable') {
    const next = 'Start a local stack with npm start, or set --url or VOUCHSAFE_URL to the URL of the API.';
    return new CommandFailed(`Nothing can be reached at ${url} (${code}).\n${next}`, {
      code: 'unreachable',
      next,
    });
  }
  const next = 'Try again. The command may have been executed.';
  const isTimeout = kind === 'timeout';
  const reason = isTimeout
    ? `${url} did not answer within ${timeoutSeconds} seconds.`
    : `The connection to ${url} broke before the end of the response (${code}).`;
  return new CommandFailed(`${reason}\n${next}`, { code: isTimeout ? 'timeout' : 'unreachable', next });
}

/** The next action, by the code of the API. */
const nextSteps: Readonly<Record<string, string>> = {
  invalid_request: 'Correct the fields that details name.',
  invalid_token: 'Set VOUCHSAFE_OPERATOR_KEY to a valid operator key.',
  insufficient_scope: 'Use an operator key with this scope, or have an administrator do it.',
  not_found: 'Check the ids.',
  conflict: 'Read the record again, then decide whether to repeat the command.',
  rate_limited: 'Wait, then repeat the command.',
};

function failureOf(json: Record<string, unknown>, { status, headers }: ReceivedResponse): Failure {
  const { error, details } = json as { error?: unknown; details?: Record<string, unknown> };
  const code = text(error);
  const auditId = headers.get('x-audit-id') ?? undefined;
  const forOperators = 'Search the logs for the audit id, or try again later.';
  return {
    code,
    status,
    ...defined({ details, auditId }),
    next: (Object.hasOwn(nextSteps, code) ? nextSteps[code] : undefined) ?? forOperators,
  };
}

/** The lines of an error. A line end in a text of the server would forge a line. */
function errorText(json: Record<string, unknown>, { status, headers }: ReceivedResponse): string {
  const { error, message, details } = json as { error?: unknown; message?: unknown; details?: object };
  const auditId = headers.get('x-audit-id');
  return [
    `${status} ${text(error)}${message === undefined ? '' : `: ${text(message)}`}`,
    ...Object.entries(details ?? {}).map(([field, reason]) => `  ${field}: ${text(reason)}`),
    ...(status === 401 ? ['The key was read from VOUCHSAFE_OPERATOR_KEY.'] : []),
    ...(auditId === null ? [] : [`  audit id: ${auditId}`]),
  ]
    .map(printable)
    .join('\n');
}

const text = (reason: unknown) =>
  typeof reason === 'string' ? reason : (JSON.stringify(reason) ?? 'undefined');
