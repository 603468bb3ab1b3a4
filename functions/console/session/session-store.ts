import { readSecret } from '../../shared/auth/secrets.ts';
import * as keys from '../../shared/contract/keys.ts';
import type { OperatorKey } from '../../shared/contract/operator-key.ts';
import { isUnexpired, secretHash } from '../../shared/contract/secret.ts';
import { recordReader } from '../../shared/table/record.ts';
import { batchGetItems, deleteItem, putItem } from '../../shared/table/table.ts';
import { consoleSessionMs, keyIdOf, newSessionToken } from './session.ts';

/** A session as stored, under the hash of its token. Times in epoch milliseconds. */
interface StoredSession {
  keyId: string;
  expiresAtMs: number;
}

const readSession = recordReader<StoredSession>(['keyId', 'expiresAtMs']);
const readKey = recordReader<OperatorKey>(['keyId', 'name', 'scopes']);

/** Sessions of the console, in the table. */
export const consoleSessions = {
  /** A session with its operator key as it is now. Undefined when either has ended. */
  async find(
    token: string,
    nowMs: number,
  ): Promise<{ session: StoredSession; key: OperatorKey } | undefined> {
    const places = [keys.consoleSession(secretHash(token)), keys.operatorKey(keyIdOf(token))] as const;
    const items = await batchGetItems(places);
    const [sessionItem, keyItem] = places.map((place) => items.find(({ pk }) => pk === place.pk));
    if (sessionItem === undefined || keyItem === undefined) return undefined;
    const session = readSession(sessionItem);
    const key = readKey(keyItem);
    return isUnexpired(session, nowMs) && isUnexpired(key, nowMs) ? { session, key } : undefined;
  },

  /**
   * Starts a session of the operator key with this secret. It is read from the table: a revoked key starts none.
   *
   * @returns the token of the session; undefined when no valid key has the secret.
   */
  async start(secret: string, nowMs: number): Promise<string | undefined> {
    const key = await readSecret('operator_key', secret);
    if (key === undefined || !isUnexpired(key, nowMs)) return undefined;
    const { keyId } = key;
    const token = newSessionToken(keyId);
    const expiresAtMs = nowMs + consoleSessionMs;
    const item = {
      ...keys.consoleSession(secretHash(token)),
      keyId,
      expiresAtMs,
      ...keys.timeToLive(expiresAtMs),
    };
    await putItem(item, { guard: { harmless: 'the token of a session is new' } });
    return token;
  },

  async end(token: string): Promise<void> {
    await deleteItem(keys.consoleSession(secretHash(token)), {
      guard: { harmless: 'the token of a session is used once' },
    });
  },
};
