import * as keys from '../../contract/keys.ts';
import { retryOnConflict } from '../../table/optimistic-retry.ts';
import { queryPage } from '../../table/query.ts';
import { getRecord, recordReader } from '../../table/record.ts';
import { type Item, transactWrite, type Write } from '../../table/table.ts';
import type { Withdrawer } from './consent.ts';
import { consentsWithdrawn } from './consent-events.ts';
import { type Grant, type GrantKey, grantLifetimeMs, type IssuedToken } from './grant.ts';

export const readGrant = recordReader<Grant>(['familyId', 'scopes']);

export const grantStore = {
  get: ({ familyId, userId }: GrantKey) => getRecord(keys.grant(userId, familyId), readGrant),

  /**
   * Grants of a user, the newest first.
   *
   * @param isListed the grants that it accepts are returned, up to `limit`.
   * @param startAfter the id of the last grant of the previous page.
   */
  async list(
    userId: string,
    isListed: (grant: Grant) => boolean,
    { limit, startAfter }: { limit: number; startAfter: string | undefined },
  ): Promise<Grant[]> {
    const found: Grant[] = [];
    let after: PageStart = startAfter === undefined ? undefined : { ...keys.grant(userId, startAfter) };
    do {
      const query = { partition: keys.grantPartition(userId), descending: true, limit, startAfter: after };
      const { items, lastKey } = await queryPage(query);
      found.push(...items.map(readGrant).filter(isListed));
      after = lastKey;
    } while (after !== undefined && found.length < limit);
    return found.slice(0, limit);
  },

  /**
   * Revokes a grant, and tells its application. Its tokens leave the table, and cached copies expire within
   * `revocationSeconds`. A repeat changes nothing.
   *
   * @param withdrawal who revokes it, and when.
   * @param alsoFor reads for each attempt what decides on further writes of the same transaction.
   * @returns false when there is no such grant.
   * @throws ApiError `conflict` when the tokens are rotated at each attempt.
   */
  async revoke(
    key: GrantKey,
    withdrawal: { by: Withdrawer; atMs: number },
    alsoFor: () => Promise<(grant: Grant) => Write[]> = async () => () => [],
  ): Promise<boolean> {
    const { atMs: nowMs } = withdrawal;
    return retryOnConflict(async () => {
      const [grant, also] = await Promise.all([this.get(key), alsoFor()]);
      if (grant === undefined) return false;
      if (grant.revokedAtMs !== undefined) return true;
      const revoked: Grant = { ...grant, accessTokens: [], revokedAtMs: nowMs };
      const isRevoked = await transactWrite([
        { Put: { Item: grantItem(revoked, nowMs), ...ifUnchanged(grant) } },
        { Delete: { Key: keys.secret('refresh_token', grant.currentHash) } },
        ...grant.accessTokens.map(accessTokenRemoval),
        ...consentsWithdrawn([grant], withdrawal),
        ...also(grant),
      ]);
      return isRevoked || undefined;
    });
  },
};

type PageStart = Readonly<Record<string, unknown>> | undefined;

export function grantItem(grant: Grant, nowMs: number): Item {
  return {
    ...grant,
    ...keys.grant(grant.userId, grant.familyId),
    ...keys.timeToLive(nowMs + grantLifetimeMs),
  };
}

/** The condition that a grant is as it was read: every change rotates its refresh token or revokes it. */
export function ifUnchanged({ currentHash }: Grant) {
  return {
    ConditionExpression: 'currentHash = :currentHash AND attribute_not_exists(revokedAtMs)',
    ExpressionAttributeValues: { ':currentHash': currentHash },
  };
}

export function accessTokenRemoval({ hash }: IssuedToken): Write {
  return { Delete: { Key: keys.secret('access_token', hash) } };
}
