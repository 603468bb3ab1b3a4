import { codeConsumption, type RightCode } from '../../shared/auth/one-time-code.ts';
import { defined } from '../../shared/contract/defined.ts';
import { keys } from '../../shared/contract/keys.ts';
import { secretHash } from '../../shared/contract/secret.ts';
import { timeToLive } from '../../shared/contract/time-to-live.ts';
import { deleteItem, getItem, type Item, transactWrite } from '../../shared/table/table.ts';
import { sessionLifetimeMs } from './session.ts';

/** An authenticated session. Times in epoch milliseconds. */
export interface Session {
  userId: string;
  email: string;
  /** Of the user at the sign-in. Absent while the user had none. */
  securityStamp?: string;
  expiresAtMs: number;
}

/** Authenticated sessions of the consent page, in the table. */
export const sessionStore = {
  async find(token: string, nowMs: number): Promise<Session | undefined> {
    const session = (await getItem(keys.consent(secretHash(token)))) as (Item & Session) | undefined;
    return session !== undefined && nowMs < session.expiresAtMs ? session : undefined;
  },

  /**
   * Consumes the mailed code and starts the session in one transaction: one code starts one session.
   *
   * @returns false when the code was consumed or replaced concurrently.
   */
  async start(
    token: string,
    { userId, email, securityStamp }: Pick<Session, 'userId' | 'email' | 'securityStamp'>,
    code: RightCode,
    nowMs: number,
  ): Promise<boolean> {
    const expiresAtMs = nowMs + sessionLifetimeMs;
    const session = {
      ...keys.consent(secretHash(token)),
      userId,
      email,
      ...defined({ securityStamp }),
      expiresAtMs,
      ...timeToLive(expiresAtMs),
    };
    return transactWrite([...codeConsumption(code, nowMs), { Put: { Item: session } }]);
  },

  async end(token: string): Promise<void> {
    const guard = { harmless: 'the token of a session is used once' };
    await deleteItem(keys.consent(secretHash(token)), { guard });
  },

  /** The id of the user who owns the address. */
  async findUserId(email: string): Promise<string | undefined> {
    return (await getItem(keys.address(email)))?.userId as string | undefined;
  },
};
