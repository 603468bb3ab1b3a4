import { defined } from '../../functions/shared/contract/defined.ts';
import { isObject } from '../../functions/shared/contract/merge-patch.ts';
import { cursorOf } from '../client/api/operation-row.ts';
import { pagesFrom } from '../client/api/pages.ts';
import {
  createClient,
  createRequester,
  type Fields,
  type OperationRow,
  type RequestOptions,
  VouchsafeError,
  type VouchsafeErrorFacts,
} from '../client/api.ts';
import { UsageError } from './arguments.ts';
import { printable } from './print.ts';
import type { Connection } from './verb.ts';

const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Parses the address of the API.
 *
 * @returns the address without slashes at its end, or undefined when it is not http(s), or has more than a host, a
 * port and a path.
 */
export function parseAddress(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username + url.password !== '') return undefined;
  // An empty query or fragment is absent from `search` and `hash`, but not from the address.
  return /[?#]/.test(text) ? undefined : `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

/** Whether requests to an address leave the machine without TLS. */
export function isReadableInTransit(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'http:' && !loopback.has(hostname);
}

/** The fields of a failed command that scripts read. */
interface Failure extends Pick<VouchsafeErrorFacts, 'status' | 'details' | 'auditId'> {
  /** Of the API or its client, or of the command line, such as `not_vouchsafe` and `table_failed`. */
  code: string;
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
export interface Request extends Pick<RequestOptions, 'applicationId' | 'reason' | 'accept'> {
  row: OperationRow;
  /** Its parameters, and the fields of its query or body. */
  input: Fields;
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
  if (!/^[\x21-\x7e]+$/.test(text)) throw new UsageError('The application must be an application id.');
  return text;
}

/**
 * Sends a request.
 *
 * @returns the JSON of the response, or a page of text with its `nextCursor`.
 * @throws CommandFailed
 */
export function send(connection: Connection, { row, input, ...more }: Request): Promise<unknown> {
  return explained(connection, createRequester(connection)(row, input, more));
}

/**
 * The entries of a list from the page of a request on, or the texts of its pages.
 *
 * @throws CommandFailed
 */
export async function* allPages(connection: Connection, request: Request): AsyncGenerator<unknown> {
  const { row, input, accept } = request;
  const list = accept === undefined ? (row.list ?? '') : 'text';
  const pageAfter = (cursor: string) =>
    send(connection, { ...request, input: { ...input, [cursorOf(row)]: cursor } });
  try {
    yield* pagesFrom(send(connection, request), list, pageAfter);
  } catch (error) {
    throw explanationOf(connection, error);
  }
}

/** The API for an operator who acts for an application. */
export const clientFor = ({ url, key }: Connection, applicationId: string, maxTries?: number) =>
  createClient({ url, key, applicationId: requireApplicationId(applicationId), maxTries });

/** @throws CommandFailed with the complete error of the API, or the reason why there is no response. */
export function explained<T>(connection: Connection, answer: Promise<T>): Promise<T> {
  return answer.catch((error: unknown) => {
    throw explanationOf(connection, error);
  });
}

function explanationOf({ url }: Connection, error: unknown): unknown {
  if (!(error instanceof VouchsafeError)) return error;
  const { status, details, auditId, message, cause } = error;
  const next = nextSteps.get(error.code) ?? 'Search the logs for the audit id, or try again later.';
  const texts = new Map<string, string>([
    ['unexpected_answer', `${url} answered ${status}, but not as Vouchsafe does. Is the address right?`],
    ['unreachable', `Nothing can be reached at ${url} (${reasonOf(cause)}).\n${next}`],
    ['timeout', `${url}: ${message}\n${next}`],
    ['connection_lost', `${url}: ${message}\n${next}`],
  ]);
  const code = error.code === 'unexpected_answer' ? 'not_vouchsafe' : error.code;
  const failure = { code, ...defined({ status, details, auditId }), next };
  return new CommandFailed(texts.get(error.code) ?? errorText(error), failure);
}

/** The code of the system, such as ECONNREFUSED, which Node.js keeps in the cause; or the name of the error. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return 'unknown';
  return isObject(cause.cause) && typeof cause.cause.code === 'string' ? cause.cause.code : cause.name;
}

const mayBeDone = 'Try again. The command may have been executed.';

/** The next action, by the code of the API or of its client. */
const nextSteps: ReadonlyMap<string, string> = new Map([
  ['invalid_request', 'Correct the fields that details name.'],
  ['invalid_token', 'Set VOUCHSAFE_OPERATOR_KEY to a valid operator key.'],
  ['insufficient_scope', 'Use an operator key with this scope, or have an administrator do it.'],
  ['not_found', 'Check the ids.'],
  ['conflict', 'Read the record again, then decide whether to repeat the command.'],
  ['rate_limited', 'Wait, then repeat the command.'],
  ['unexpected_answer', 'Set --url or VOUCHSAFE_URL to the URL of the API.'],
  ['unreachable', 'Start a local stack with npm start, or set --url or VOUCHSAFE_URL to the URL of the API.'],
  ['timeout', mayBeDone],
  ['connection_lost', mayBeDone],
]);

/** The exit codes of kinds of errors, each with what the help says. */
export const exitCodes = {
  ok: [0, 'success'],
  unexpected: [1, 'any other failure, and a question that was not confirmed'],
  usage: [2, 'invalid command line'],
  notFound: [3, 'something was not found'],
  refused: [4, 'the key is refused, or its scopes do not cover the command'],
  conflict: [5, 'the record has changed, or is in a status that does not allow the command'],
  invalid: [6, 'the values are invalid'],
  unavailable: [7, 'the service cannot be reached, is too busy, or has failed'],
  // 128 and the number of SIGPIPE, as a shell reports the end of other tools.
  closed: [141, 'the output was closed before its end, as by head'],
} as const satisfies Readonly<Record<string, readonly [number, string]>>;

/** The exit code of a failure: by its code, or else by the status of the answer. */
export function exitCodeOf({ code, status }: Failure): number {
  const kindOf = (text: string) => kinds.find(([pattern]) => pattern.test(text))?.[1];
  return exitCodes[kindOf(code) ?? kindOf(String(status)) ?? 'unexpected'][0];
}

/** Kinds by codes and statuses. */
const kinds: readonly (readonly [RegExp, keyof typeof exitCodes])[] = [
  [/^usage$/, 'usage'],
  [/^output_closed$/, 'closed'],
  [/^(wrong_key|40[13])$/, 'refused'],
  [/^(((table|queue)_)?not_found|404|410)$/, 'notFound'],
  [/^(409|412)$/, 'conflict'],
  [/^(not_vouchsafe|unreachable|timeout|connection_lost|not_ready|429|5..)$/, 'unavailable'],
  [/^(invalid_request|4..)$/, 'invalid'],
];

/** The lines of an error. A line end in a text of the server would forge a line. */
function errorText({ status, code, message, details, auditId }: VouchsafeError): string {
  return [
    `${status === undefined ? '' : `${status} `}${code}: ${message}`,
    ...Object.entries(details ?? {}).map(([field, reason]) => `  ${field}: ${text(reason)}`),
    ...(status === 401 ? ['The key was read from VOUCHSAFE_OPERATOR_KEY.'] : []),
    ...(auditId === undefined ? [] : [`  audit id: ${auditId}`]),
  ]
    .map(printable)
    .join('\n');
}

const text = (reason: unknown) =>
  typeof reason === 'string' ? reason : (JSON.stringify(reason) ?? 'undefined');
