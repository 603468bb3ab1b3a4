import type { Withdrawer } from '../../shared/auth/grants/consent.ts';
import type { GrantKey } from '../../shared/auth/grants/grant.ts';
import { beginWrites } from '../../shared/auth/grants/grant-end-store.ts';
import {
  accessTokenRemoval,
  grantItem,
  grantStore,
  ifUnchanged,
} from '../../shared/auth/grants/grant-store.ts';
import { readSecret } from '../../shared/auth/secrets.ts';
import { defined } from '../../shared/contract/defined.ts';
import { ApiError } from '../../shared/contract/errors.ts';
import * as keys from '../../shared/contract/keys.ts';
import { type SecretKind, type SecretRecord, secretHash } from '../../shared/contract/secret.ts';
import { newId } from '../../shared/runtime/ids.ts';
import { getRecord, recordReader } from '../../shared/table/record.ts';
import {
  deleteItem,
  type Item,
  notExists,
  putItem,
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

export const codeStore = {
  /**
   * Stores a code.
   *
   * @param deletableAtMs from when the table may delete the record.
   * @returns false when the same code was issued before.
   */
  async issue(code: string, record: CodeRecord, deletableAtMs: number): Promise<boolean> {
    const key = keys.secret('authorization_code', secretHash(code));
    const Item = { ...key, ...record, ...keys.timeToLive(deletableAtMs) };
    return putItem(Item, { ConditionExpression: notExists, guard: { once: 'pk' } });
  },

  /** A code in any state. A used code is retained for as long as its tokens are valid. */
  find: (code: string) => readSecret('authorization_code', code) as Promise<(Item & CodeRecord) | undefined>,

  /**
   * Redeems a code: marks it used, stores its grant and the first tokens, and tells the application, in one transaction.
   *
   * @returns false when the code was used or has expired in the meantime, or the user has another security stamp; nothing is written then.
   */
  async redeem(code: string, record: CodeRecord, tokens: TokenSet, familyId: string, nowMs: number) {
    const { applicationId, userId, scopes, securityStamp } = record;
    const { accessTokens } = addAccessToken({ accessTokens: [] }, tokens.access, nowMs);
    const family: TokenFamily = {
      familyId,
      applicationId,
      userId,
      scopes,
      ...defined({ securityStamp }),
      createdAtMs: nowMs,
      currentHash: secretHash(tokens.refresh),
      accessTokens,
    };
    const used: CodeRecord = { ...record, usedAtMs: nowMs, familyId };
    const key = keys.secret('authorization_code', secretHash(code));
    return transactWrite([
      {
        Put: {
          Item: { ...used, ...key, ...keys.timeToLive(nowMs + lifetimes.refreshMs) },
          ConditionExpression: 'attribute_not_exists(usedAtMs) AND expiresAtMs > :now',
          ExpressionAttributeValues: { ':now': nowMs },
        },
      },
      ...beginWrites(family, nowMs),
      ...tokenWrites(family, tokens, scopes, nowMs),
    ]);
  },
};

const readFamily = recordReader<TokenFamily>(['familyId', 'scopes']);

export const tokenStore = {
  findRefreshToken: (token: string) => readSecret('refresh_token', token),
  findAccessToken: (token: string) => readSecret('access_token', token),

  getFamily: ({ familyId, userId }: GrantKey) => getRecord(keys.grant(userId, familyId), readFamily),

  /**
   * Replaces the current refresh token and stores an access token, in one transaction on the condition that
   * the refresh token is still the current one.
   *
   * @returns the rotated family; undefined when a concurrent rotation or a revocation came first, and nothing was written.
   */
  async rotate(
    family: TokenFamily,
    refreshToken: string,
    { salt, scopes }: Pick<Rotation, 'salt' | 'scopes'>,
    nowMs: number,
  ): Promise<TokenFamily | undefined> {
    const tokens = deriveTokens(refreshToken, salt);
    const { accessTokens, evicted } = addAccessToken(family, tokens.access, nowMs);
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
    const isWritten = await transactWrite([
      { Put: { Item: grantItem(rotated, nowMs), ...ifUnchanged(family) } },
      ...tokenWrites(rotated, tokens, scopes, nowMs),
      ...evicted.map(accessTokenRemoval),
    ]);
    return isWritten ? rotated : undefined;
  },

  /**
   * Sets the time of a rotation to the time at which its slow write was acknowledged, unless the family has
   * changed since.
   */
  async postponeGrace(
    { userId, familyId }: GrantKey,
    { salt }: Pick<Rotation, 'salt'>,
    nowMs: number,
  ): Promise<void> {
    await updateItem(keys.grant(userId, familyId), {
      UpdateExpression: 'SET lastRotation.atMs = :now',
      ConditionExpression:
        'lastRotation.salt = :salt AND lastRotation.atMs < :now AND attribute_not_exists(revokedAtMs)',
      ExpressionAttributeValues: { ':now': nowMs, ':salt': salt },
      guard: { newest: 'lastRotation.atMs' },
    });
  },

  /** Revokes a family, and tells the application: its tokens leave the table, and cached copies expire within seconds. */
  async revokeFamily(key: GrantKey, by: Withdrawer, atMs: number): Promise<void> {
    await grantStore.revoke(key, { by, atMs }).catch((error: unknown) => {
      // RFC 6749 has no error code for a conflict: it is a failure of the server.
      if (error instanceof ApiError)
        throw new Error('The tokens were rotated at each attempt to revoke them');
      throw error;
    });
  },

  async revokeAccessToken(token: string): Promise<void> {
    const key = keys.secret('access_token', secretHash(token));
    await deleteItem(key, { guard: { harmless: 'a token is stored once' } });
  },
};

function tokenWrites(
  family: TokenFamily,
  tokens: TokenSet,
  accessScopes: readonly string[],
  nowMs: number,
): Write[] {
  const { familyId, applicationId, userId, securityStamp } = family;
  const put = (kind: SecretKind, secret: string, lifetimeMs: number, scopes: readonly string[]): Write => {
    const expiresAtMs = nowMs + lifetimeMs;
    const record: SecretRecord = {
      kind,
      keyId: newId('key', nowMs),
      applicationId,
      userId,
      scopes,
      familyId,
      ...defined({ securityStamp }),
      createdAtMs: nowMs,
      expiresAtMs,
    };
    return {
      Put: { Item: { ...keys.secret(kind, secretHash(secret)), ...record, ...keys.timeToLive(expiresAtMs) } },
    };
  };
  return [
    put('access_token', tokens.access, lifetimes.accessMs, accessScopes),
    put('refresh_token', tokens.refresh, lifetimes.refreshMs, family.scopes),
  ];
}
