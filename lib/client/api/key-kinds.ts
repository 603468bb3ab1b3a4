import { VouchsafeError } from './error.ts';
import type { OperationRow } from './operation-row.ts';

/** The kinds of secrets by prefix. Operations take the first four. */
const kinds: Readonly<Record<string, string>> = {
  vak: 'an API key',
  vcs: 'a client secret',
  vok: 'an operator key',
  vat: 'an access token',
  vrt: 'a refresh token',
  vac: 'an authorization code',
  vdt: 'a device token',
  vsr: 'a receipt token',
  vet: 'an enrolment token',
  whsec: 'the secret of a webhook',
};

/** Secrets of an application or an operator. Everybody who opens a page could read them there. */
const ofServers: ReadonlySet<string | undefined> = new Set(['vak', 'vcs', 'vok', 'whsec']);

/**
 * The kind of a key by its prefix; undefined for one that this version does not know, which the service judges.
 *
 * @throws {VouchsafeError} `wrong_key` for a text that no header can carry, and in a page for a secret of a server
 */
export function kindOf(key: string): string | undefined {
  // JavaScript passes `null` for a variable that is not set.
  if (typeof key !== 'string' || key === '') throw wrongKey('The key is empty.');
  if (!/^[\x21-\x7e]+$/.test(key)) throw wrongKey('The key has characters that no key has.');
  const prefix = key.split('_', 1)[0] ?? '';
  const kind = Object.hasOwn(kinds, prefix) ? prefix : undefined;
  if (ofServers.has(kind) && 'document' in globalThis && 'window' in globalThis) {
    throw wrongKey(`This page has ${named(prefix)}: everybody who opens it can read it. Use it on a server.`);
  }
  return kind;
}

/** Whether an operation is sent with the key. @throws {VouchsafeError} `wrong_key`, which names the right kinds */
export function takesKey(
  { method, path, keys, optionalKey, actsFor }: OperationRow,
  {
    key,
    kind,
    applicationId,
  }: { key: string | undefined; kind: string | undefined; applicationId: string | undefined },
): boolean {
  if (keys.length === 0) return false;
  const isRight = key !== undefined && (kind === undefined || keys.includes(kind));
  if (!isRight && !optionalKey) {
    const found = kind === undefined ? 'no key' : named(kind);
    throw wrongKey(`${method} ${path} needs ${keys.map(named).join(' or ')}, and this client has ${found}.`);
  }
  if (isRight && actsFor && kind === 'vok' && applicationId === undefined) {
    throw wrongKey(
      `${method} ${path} with an operator key needs the applicationId that the operator acts for.`,
    );
  }
  return isRight;
}

const named = (prefix: string) => `${kinds[prefix]} (${prefix}_...)`;

const wrongKey = (message: string) => new VouchsafeError('wrong_key', message);
