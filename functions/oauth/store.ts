import { type CodeSlot, codeConsumption } from '../shared/auth/one-time-code-key.ts';
import { keys, tableSchema } from '../shared/contract/keys.ts';
import {
  isWellFormedSecret,
  type SecretKind,
  type SecretRecord,
  secretHash,
} from '../shared/contract/secret.ts';
import { newId } from '../shared/runtime/ids.ts';
import { deleteItem, getItem, type Item, transactWrite, type Write } from '../shared/table/table.ts';
import { sessionLivesMs } from './session.ts';
import {
  type CodeRecord,
  type Family,
  lifetimes,
  nextTokens,
  type Rotation,
  type TokenSet,
  withAccess,
} from './token-set.ts';

export interface Session {
  userId: string;
  email: string;
  expiresAtMs: number;
}

/** Sign-ins on the consent page, in the table. */
export const sessionStore = {
  async find(token: string, nowMs: number): Promise<Session | undefined> {
    const session = (await getItem(keys.consent(secretHash(token)))) as (Item & Session) | undefined;
    return session !== undefined && nowMs < session.expiresAtMs ? session : undefined;
  },

  /** Uses the mailed code up and starts the session, both or neither: one code starts one session. */
  async start(
    token: string,
    { userId, email }: Pick<Session, 'userId' | 'email'>,
    { slot, codeId }: { slot: CodeSlot; codeId: string },
    nowMs: number,
  ): Promise<boolean> {
    const expiresAtMs = nowMs + sessionLivesMs;
    const session = { ...keys.consent(secretHash(token)), userId, email, expiresAtMs };
    return transactWrite([
      codeConsumption(slot, codeId, nowMs),
      { Put: { Item: { ...session, ...cleanedUp(expiresAtMs) } } },
    ]);
  },

  async end(token: string): Promise<void> {
    await deleteItem(keys.consent(secretHash(token)));
  },

  /** Which user has the address, if anybody. */
  async userIdOf(email: string): Promise<string | undefined> {
    return (await getItem(keys.address(email)))?.userId as string | undefined;
  },
};

/** Authorization codes in the table. */
export const codeStore = {
  /** @returns false when this very code was given before. */
  async issue(code: string, record: CodeRecord): Promise<boolean> {
    // Outlasts the session whose form made it, so that the form cannot make it again.
    const ttl = cleanedUp(record.expiresAtMs + sessionLivesMs);
    const Item = { ...keys.secret(secretHash(code)), ...record, ...ttl };
    return transactWrite([
      { Put: { Item, ConditionExpression: `attribute_not_exists(${tableSchema.partitionKey})` } },
    ]);
  },

  /** Whatever its state: one that was used has to be known as long as its tokens live. */
  find: (code: string) => read<CodeRecord>('authorization_code', code),

  /**
   * Redeems a code: marks it used and gives its first tokens, all in one transaction.
   *
   * @returns false when it was used or ran out meanwhile; nothing is given then.
   */
  async redeem(code: string, record: CodeRecord, tokens: TokenSet, familyId: string, nowMs: number) {
    const { applicationId, userId, scopes } = record;
    const { kept } = withAccess({ access: [] }, tokens.access, nowMs);
    const family: Family = {
      familyId,
      applicationId,
      userId,
      scopes,
      createdAtMs: nowMs,
      current: secretHash(tokens.refresh),
      access: kept,
    };
    return transactWrite([
      {
        Update: {
          Key: keys.secret(secretHash(code)),
          UpdateExpression: 'SET usedAtMs = :now, familyId = :family, #ttl = :ttl',
          ConditionExpression: 'kind = :kind AND attribute_not_exists(usedAtMs) AND expiresAtMs > :now',
          ExpressionAttributeNames: { '#ttl': tableSchema.timeToLive },
          ExpressionAttributeValues: {
            ':kind': 'authorization_code',
            ':now': nowMs,
            ':family': familyId,
            ':ttl': cleanedUp(nowMs + lifetimes.refreshMs).ttl,
          },
        },
      },
      { Put: { Item: familyItem(family, nowMs) } },
      ...tokenWrites(family, tokens, scopes, nowMs),
    ]);
  },
};

const revokeTries = 8;

/** Tokens and their families in the table. */
export const tokenStore = {
  findRefresh: (token: string) => read<SecretRecord>('refresh_token', token),
  findAccess: (token: string) => read<SecretRecord>('access_token', token),

  async family(familyId: string): Promise<Family | undefined> {
    return (await getItem(keys.family(familyId))) as (Item & Family) | undefined;
  },

  /**
   * Replaces the current refresh token and gives an access token, in one transaction on the condition that it is
   * the current one: of any number of rotations at once one is carried out.
   */
  async rotate(
    family: Family,
    refreshToken: string,
    { salt, scopes }: Pick<Rotation, 'salt' | 'scopes'>,
    nowMs: number,
  ) {
    const tokens = nextTokens(refreshToken, salt);
    const { kept, dropped } = withAccess(family, tokens.access, nowMs);
    const rotated: Family = {
      ...family,
      current: secretHash(tokens.refresh),
      last: { from: family.current, salt, atMs: nowMs, scopes },
      access: kept,
    };
    return transactWrite([
      { Put: { Item: familyItem(rotated, nowMs), ...unchanged(family) } },
      ...tokenWrites(rotated, tokens, scopes, nowMs),
      ...dropped.map((hash): Write => ({ Delete: { Key: keys.secret(hash) } })),
    ]);
  },

  /** Ends a family: its tokens are gone from the table, and what is cached of them ends within seconds. */
  async revoke(familyId: string, nowMs: number): Promise<void> {
    for (let attempt = 0; attempt < revokeTries; attempt += 1) {
      const family = await this.family(familyId);
      if (family === undefined || family.revokedAtMs !== undefined) return;
      const hashes = [family.current, ...family.access.map(({ hash }) => hash)];
      const revoked: Family = { ...family, access: [], revokedAtMs: nowMs };
      const done = await transactWrite([
        { Put: { Item: familyItem(revoked, nowMs), ...unchanged(family) } },
        ...hashes.map((hash): Write => ({ Delete: { Key: keys.secret(hash) } })),
      ]);
      if (done) return;
    }
    throw new Error('The tokens were rotated at each of several attempts to revoke them');
  },

  /** Ends one access token; the others of its family stay. */
  async revokeAccess(token: string): Promise<void> {
    await deleteItem(keys.secret(secretHash(token)));
  },
};

async function read<R extends SecretRecord>(kind: SecretKind, secret: string): Promise<R | undefined> {
  if (!isWellFormedSecret(kind, secret)) return undefined;
  const record = (await getItem(keys.secret(secretHash(secret)))) as (Item & SecretRecord) | undefined;
  return record?.kind === kind ? (record as unknown as R) : undefined;
}

/** Every change of a family makes another refresh token the current one, or revokes it. */
function unchanged({ current }: Family) {
  return {
    ConditionExpression: '#current = :current AND attribute_not_exists(revokedAtMs)',
    ExpressionAttributeNames: { '#current': 'current' },
    ExpressionAttributeValues: { ':current': current },
  };
}

function familyItem(family: Family, nowMs: number): Item {
  return { ...keys.family(family.familyId), ...family, ...cleanedUp(nowMs + lifetimes.refreshMs) };
}

function tokenWrites(family: Family, tokens: TokenSet, scopes: readonly string[], nowMs: number): Write[] {
  const { familyId, applicationId, userId } = family;
  const put = (kind: SecretKind, secret: string, livesMs: number, allowed: readonly string[]): Write => {
    const expiresAtMs = nowMs + livesMs;
    const record: SecretRecord = {
      kind,
      keyId: newId('key', nowMs),
      applicationId,
      userId,
      scopes: allowed,
      familyId,
      createdAtMs: nowMs,
      expiresAtMs,
    };
    return { Put: { Item: { ...keys.secret(secretHash(secret)), ...record, ...cleanedUp(expiresAtMs) } } };
  };
  return [
    put('access_token', tokens.access, lifetimes.accessMs, scopes),
    put('refresh_token', tokens.refresh, lifetimes.refreshMs, family.scopes),
  ];
}

const cleanedUp = (atMs: number) => ({ [tableSchema.timeToLive]: Math.ceil(atMs / 1000) }) as { ttl: number };
