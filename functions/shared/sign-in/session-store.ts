import { codeConsumption, type RightCode } from '../auth/codes/one-time-code.ts';
import { defined } from '../contract/defined.ts';
import * as keys from '../contract/keys.ts';
import { secretHash } from '../contract/secret.ts';
import { getRecord, recordReader } from '../table/record.ts';
import { deleteItem, type Item, transactWrite } from '../table/table.ts';
import { sessionLifetimeMs } from './session.ts';

export interface Session {
  userId: string;
  /** The address that the mailed code proved. */
  email: string;
  /** Of the user at the sign-in. Absent while the user had none. */
  securityStamp?: string;
  expiresAtMs: number;
}

type SignedIn = Pick<Session, 'userId' | 'email' | 'securityStamp'>;

export type SessionStore = ReturnType<typeof sessionStoreOf>;

const readSession = recordReader<Session>(['userId', 'expiresAtMs']);

function sessionStoreOf(keyOf: (hash: string) => keys.Key) {
  return {
    async find(token: string, nowMs: number): Promise<Session | undefined> {
      const session = await getRecord(keyOf(secretHash(token)), readSession);
      return session !== undefined && nowMs < session.expiresAtMs ? session : undefined;
    },

    /**
     * Consumes the mailed code and starts the session in one transaction: one code starts one session.
     *
     * @returns false when the code was consumed or replaced concurrently.
     */
    async start(token: string, user: SignedIn, code: RightCode, nowMs: number): Promise<boolean> {
      const Item = sessionItem(keyOf(secretHash(token)), user, nowMs + sessionLifetimeMs);
      return transactWrite([...codeConsumption(code, nowMs), { Put: { Item } }]);
    },

    /** Starts a session of another user beside a present one, of which it has the end. */
    async startAs(user: SignedIn, token: string, expiresAtMs: number): Promise<void> {
      await transactWrite([{ Put: { Item: sessionItem(keyOf(secretHash(token)), user, expiresAtMs) } }]);
    },

    async end(token: string): Promise<void> {
      const guard = { harmless: 'the token of a session is used once' };
      await deleteItem(keyOf(secretHash(token)), { guard });
    },
  };
}

function sessionItem(key: keys.Key, { userId, email, securityStamp }: SignedIn, expiresAtMs: number): Item {
  return {
    ...key,
    userId,
    email,
    ...defined({ securityStamp }),
    expiresAtMs,
    ...keys.timeToLive(expiresAtMs),
  };
}

export const consentSessions = sessionStoreOf(keys.consent);

export const accountSessions = sessionStoreOf(keys.accountSession);
