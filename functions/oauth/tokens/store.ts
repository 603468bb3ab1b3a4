import { ApiError } from '../../shared/contract/errors.ts';
import { keys, tableSchema } from '../../shared/contract/keys.ts';
import {
  isWellFormedSecret,
  type SecretKind,
  type SecretRecord,
  secretHash,
} from '../../shared/contract/secret.ts';
import { newId } from '../../shared/runtime/ids.ts';
import { retryOnConflict } from '../../shared/table/optimistic-retry.ts';
import {
  deleteItem,
  getItem,
  type Item,
  notExists,
  transactWrite,
  updateItem,
  type Write,
} from '../../shared/table/table.ts';
import {
  addAccessToken,
  type CodeRecord,
  deriveTokens,
  lifetimes,
  type Rotation,
  type TokenFamily,
  type TokenSet,
} from './token-family.ts';

/** Authorization codes in the table. */
export const codeStore = {
  /**
   * Stores a code.
   *
   * @param deletableAtMs from when the table may delete the record.
   * @returns false when the same code was issued before.
   */
  async issue(code: string, record: CodeRecord, deletableAtMs: number): Promise<boolean> {
    const Item = { ...keys.secret(secretHash(code)), ...record, ...timeToLive(deletableAtMs) };
    return transactWrite([{ Put: { Item, ConditionExpression: notExists } }]);
  },

  /** A code in any state. A used code is retained for as long as its tokens are valid. */
  find: (code: string) => findSecretRecord<CodeRecord>('authorization_code', code),

  /**
   * Redeems a code: marks it used and stores its first tokens, in one transaction.
   *
   * @returns false when the code was used or has expired in the meantime; nothing is written then.
   */
  async redeem(code: string, record: CodeRecord, tokens: TokenSet, familyId: string, nowMs: number) {
    const { applicationId, userId, scopes } = record;
    const { accessTokens } = addAccessToken({ accessTokens: [] }, tokens.access, nowMs);
    const family: TokenFamily = {
      familyId,
      applicationId,
      userId,
      scopes,
      createdAtMs: nowMs,
      currentHash: secretHash(tokens.refresh),
      accessTokens,
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
            ':ttl': timeToLive(nowMs + lifetimes.refreshMs).ttl,
          },
        },
      },
      { Put: { Item: familyItem(family, nowMs) } },
      ...tokenWrites(family, tokens, scopes, nowMs),
    ]);
  },
};

/** Tokens and their families in the table. */
export const tokenStore = {
  findRefreshToken: (token: string) => findSecretRecord<SecretRecord>('refresh_token', token),
  findAccessToken: (token: string) => findSecretRecord<SecretRecord>('access_token', token),

  async getFamily(familyId: string): Promise<TokenFamily | undefined> {
    return (await getItem(keys.family(familyId))) as (Item & TokenFamily) | undefined;
  },

  /**
   * Replaces the current refresh token and stores an access token, in one transaction on the condition that
   * the refresh token is still the current one.
   *
   * @returns false when a concurrent rotation or a revocation came first; nothing is written then.
   */
  async rotate(
    family: TokenFamily,
    refreshToken: string,
    { salt, scopes }: Pick<Rotation, 'salt' | 'scopes'>,
    nowMs: number,
  ): Promise<boolean> {
    const tokens = deriveTokens(refreshToken, salt);
    const { accessTokens, evictedHashes } = addAccessToken(family, tokens.access, nowMs);
    const rotated: TokenFamily = {
      ...family,
      currentHash: secretHash(tokens.refresh),
      lastRotation: {
        previousHash: family.currentHash,
        salt,
        atMs: nowMs,
        accessExpiresAtMs: nowMs + lifetimes.accessMs,
        scopes,
      },
      accessTokens,
    };
    return transactWrite([
      { Put: { Item: familyItem(rotated, nowMs), ...ifUnchanged(family) } },
      ...tokenWrites(rotated, tokens, scopes, nowMs),
      ...evictedHashes.map(deleteSecret),
    ]);
  },

  /**
   * Sets the time of a rotation to the time at which its slow write was acknowledged, unless the family has
   * changed since.
   */
  async postponeGrace(familyId: string, { salt }: Pick<Rotation, 'salt'>, nowMs: number): Promise<void> {
    await updateItem(keys.family(familyId), {
      UpdateExpression: 'SET lastRotation.atMs = :now',
      ConditionExpression:
        'lastRotation.salt = :salt AND lastRotation.atMs < :now AND attribute_not_exists(revokedAtMs)',
      ExpressionAttributeValues: { ':now': nowMs, ':salt': salt },
      guard: { newest: 'lastRotation.atMs' },
    });
  },

  /** Revokes a family: its tokens leave the table, and cached copies expire within seconds. */
  async revokeFamily(familyId: string, nowMs: number): Promise<void> {
    await retryOnConflict(async () => {
      const family = await this.getFamily(familyId);
      if (family === undefined || family.revokedAtMs !== undefined) return true;
      const hashes = [family.currentHash, ...family.accessTokens.map(({ hash }) => hash)];
      const revoked: TokenFamily = { ...family, accessTokens: [], revokedAtMs: nowMs };
      const isRevoked = await transactWrite([
        { Put: { Item: familyItem(revoked, nowMs), ...ifUnchanged(family) } },
        ...hashes.map(deleteSecret),
      ]);
      return isRevoked || undefined;
    }).catch((error: unknown) => {
      // RFC 6749 has no error code for a conflict: it is a failure of the server.
      if (error instanceof ApiError)
        throw new Error('The tokens were rotated at each attempt to revoke them');
      throw error;
    });
  },

  /** Revokes one access token; the others of its family stay valid. */
  async revokeAccessToken(token: string): Promise<void> {
    await deleteItem(keys.secret(secretHash(token)), { guard: { harmless: 'a token is stored once' } });
  },
};

async function findSecretRecord<R extends SecretRecord>(
  kind: SecretKind,
  secret: string,
): Promise<R | undefined> {
  if (!isWellFormedSecret(kind, secret)) return undefined;
  const record = (await getItem(keys.secret(secretHash(secret)))) as (Item & SecretRecord) | undefined;
  return record?.kind === kind ? (record as unknown as R) : undefined;
}

/** The condition that a family is as it was read: every change rotates its refresh token or revokes it. */
function ifUnchanged({ currentHash }: TokenFamily) {
  return {
    ConditionExpression: 'currentHash = :currentHash AND attribute_not_exists(revokedAtMs)',
    ExpressionAttributeValues: { ':currentHash': currentHash },
  };
}

function familyItem(family: TokenFamily, nowMs: number): Item {
  return { ...keys.family(family.familyId), ...family, ...timeToLive(nowMs + lifetimes.refreshMs) };
}

function tokenWrites(
  family: TokenFamily,
  tokens: TokenSet,
  accessScopes: readonly string[],
  nowMs: number,
): Write[] {
  const { familyId, applicationId, userId } = family;
  const put = (kind: SecretKind, secret: string, lifetimeMs: number, scopes: readonly string[]): Write => {
    const expiresAtMs = nowMs + lifetimeMs;
    const record: SecretRecord = {
      kind,
      keyId: newId('key', nowMs),
      applicationId,
      userId,
      scopes,
      familyId,
      createdAtMs: nowMs,
      expiresAtMs,
    };
    return { Put: { Item: { ...keys.secret(secretHash(secret)), ...record, ...timeToLive(expiresAtMs) } } };
  };
  return [
    put('access_token', tokens.access, lifetimes.accessMs, accessScopes),
    put('refresh_token', tokens.refresh, lifetimes.refreshMs, family.scopes),
  ];
}

const deleteSecret = (hash: string): Write => ({ Delete: { Key: keys.secret(hash) } });

const timeToLive = (atMs: number) =>
  ({ [tableSchema.timeToLive]: Math.ceil(atMs / 1000) }) as { ttl: number };
