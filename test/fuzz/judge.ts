import type { Route } from '../../functions/shared/contract/route.ts';
import { undocumented } from '../support/documentation/documented-answers.ts';
import { bodyOf, type Draft, targetOf } from './draft.ts';
import type { Received } from './http-client.ts';

const ulid = '[0-9A-HJKMNP-TV-Z]{26}';
/** Secrets in any answer or log line; ids and addresses that lead to a tenant. */
const secretPattern = /\b(?:v(?:cs|ak|at|rt|ac|ok|sr)_[A-Za-z0-9_-]{22,64}|whsec_[A-Za-z0-9+/]{43}=)/g;
const recordPattern = new RegExp(
  `\\b(?:app|lnk|sub|inv|pln|key|acc|whk)_${ulid}|\\buser-[0-9a-f]{8}-[0-9a-f-]{27}|\\b[0-9a-f]{8}-[0-9a-f-]{27}@example\\.com`,
  'g',
);
const stackPattern =
  /\n\s+at [^\n]*:\d+:\d+|node_modules|\/functions\/[a-z]+\/[\w-]+\.ts|\bTypeError\b|\bSyntaxError\b/;

/** Operations whose answers carry a secret of the caller: they create it. */
const issuing = new Set([
  'applications.create',
  'applications.key-create',
  'operator.operator-key-create',
  'oauth.token',
  'shares.create',
  'webhooks.webhook-create',
  'webhooks.webhook-rotate',
]);
const credentialsOfOthers = /^(foreign|revoked|expired|malformed|none)/;

/** Everything in a request that a caller could be told again. */
function requestText(draft: Draft): string {
  const headers = draft.headers.map(([name, value]) => `${name}: ${value}`);
  const target = targetOf(draft);
  return [target, decoded(target), ...headers, bodyOf(draft)?.toString() ?? ''].join('\n');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

/** The records that were told to their owners. */
export class Owners {
  readonly #records = new Set<string>();
  readonly #shared = new Set<string>();

  /** Remembers the records in an answer to their owner. */
  learn(text: string): void {
    for (const record of text.match(recordPattern) ?? []) this.#records.add(record);
  }

  /** Remembers what another tenant stored under a name of their own choice, for example the `externalId` of a client. */
  share(text: string): void {
    for (const record of text.match(recordPattern) ?? []) this.#shared.add(record);
  }

  has(record: string): boolean {
    return this.#records.has(record) && !this.#shared.has(record);
  }
}

/**
 * The problems of an answer, in words.
 *
 * @param owners knows which records belong to somebody else than the caller with another's credential.
 * @param invoked the operation that the gateway invoked; undefined when it answered itself.
 * @param route of the operation.
 */
export function problemsOf(
  draft: Draft,
  { status, headers, text }: Received,
  invoked: string | undefined,
  route: Route,
  owners: Owners,
): string[] {
  const problems: string[] = [];
  if (status >= 500) problems.push(`a server error: ${status} ${text.slice(0, 200)}`);
  const isPreflight = draft.method === 'OPTIONS' && status === 204;
  const answer = { status, headers, text };
  const mismatch =
    isPreflight || draft.method === 'HEAD' ? undefined : undocumented(invoked ?? draft.id, answer);
  if (mismatch !== undefined) problems.push(`not documented: ${mismatch}`);
  if (stackPattern.test(text)) problems.push('the answer shows a stack trace or a file of the service');
  problems.push(...leaks(draft, text, invoked, route, owners));
  if (draft.credential === 'own' && invoked !== undefined) owners.learn(text);
  if (isForeignWrite(draft, status)) owners.share(bodyOf(draft)?.toString() ?? '');
  return problems;
}

/** Whether a caller with the credential of another tenant stored something of their own. */
const isForeignWrite = ({ credential, method }: Draft, status: number) =>
  credential.startsWith('foreign') && method !== 'GET' && status < 300;

/** Secrets and records that the request does not name, in an answer to a caller who does not own them. */
function leaks(
  draft: Draft,
  text: string,
  invoked: string | undefined,
  route: Route,
  owners: Owners,
): string[] {
  if (invoked === undefined) return [];
  const request = requestText(draft);
  const unknown = (pattern: RegExp) =>
    [...new Set(text.match(pattern) ?? [])].filter((one) => !request.includes(one));
  const secrets = issuing.has(invoked) ? [] : unknown(secretPattern);
  const isForeign = credentialsOfOthers.test(draft.credential) && route.auth !== 'none';
  const records = isForeign ? unknown(recordPattern).filter((record) => owners.has(record)) : [];
  return [
    ...secrets.map((secret) => `the answer contains the secret ${secret}`),
    ...records.map(
      (record) => `the answer tells ${record} to a caller with a ${draft.credential} credential`,
    ),
  ];
}

/** The problems of a line of the log: nothing that a caller sent belongs there. */
export function problemsOfLog(line: string, draft: Draft): string[] {
  const found: string[] = line.match(secretPattern) ?? [];
  const values = draft.headers
    .filter(([name]) =>
      /^(authorization|cookie|x-auth-hash|x-device-id|x-share-proof|x-receipt-token)$/i.test(name),
    )
    .map(([, value]) => value.replace(/^Bearer /, ''))
    .filter((value) => value.length >= 20);
  const body = bodyOf(draft)?.toString() ?? '';
  const sent = [...values, ...(body.match(/[^"\\{}[\],:&=]{16,200}/g) ?? [])];
  return [...found, ...sent.filter((value) => line.includes(value))].map(
    (value) => `the log contains what the caller sent: ${value.slice(0, 80)}`,
  );
}
