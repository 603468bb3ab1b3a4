/** Grants of users in the table: each is a user's consent to an application, with all tokens issued from it. Decision 32. */

import { type Key, keys } from '../contract/keys.ts';
import { timeToLive } from '../contract/time-to-live.ts';
import { isId } from '../runtime/ids.ts';
import { retryOnConflict } from '../table/optimistic-retry.ts';
import { getItem, type Item, queryPage, transactWrite, type Write } from '../table/table.ts';
import type { Withdrawer } from './consent.ts';
import { consentsWithdrawn } from './consent-events.ts';
import { type Grant, type GrantKey, grantLifetimeMs, type IssuedToken } from './grant.ts';

/** Grants of users in the table. */
export const grantStore = {
  /** A grant in any state. A grant of release 0.1.0 that has moved is returned as it is now. */
  async get({ familyId, userId }: GrantKey): Promise<Grant | undefined> {
    const item = (await getItem(keyOf({ familyId, userId }))) as (Item & Grant) | undefined;
    if (item === undefined || isId('gnt', familyId)) return item;
    if (item.movedToId !== undefined) return this.get({ familyId: item.movedToId, userId });
    return { ...item, accessTokens: item.accessTokens.map((token) => ({ ...token, isFormer: true })) };
  },

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
      found.push(...(items as unknown as Grant[]).filter(isListed));
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
        ...grant.accessTokens.map((token) => accessTokenRemoval(token, nowMs)),
        ...consentsWithdrawn([grant], withdrawal),
        ...also(grant),
      ]);
      return isRevoked || undefined;
    });
  },
};

type PageStart = Readonly<Record<string, unknown>> | undefined;

/** Where a grant is stored, by the form of its id. */
export function keyOf({ familyId, userId }: GrantKey): Key {
  return isId('gnt', familyId) ? keys.grant(userId, familyId) : keys.family(familyId);
}

/** The item of a grant that is used, or revoked, at a time. */
export function grantItem(grant: Grant, nowMs: number): Item {
  return { ...grant, ...keyOf(grant), ...timeToLive(nowMs + grantLifetimeMs) };
}

/** The condition that a grant is as it was read: every change rotates its refresh token, revokes it or moves it. */
export function ifUnchanged({ currentHash }: Grant) {
  return {
    ConditionExpression:
      'currentHash = :currentHash AND attribute_not_exists(revokedAtMs) AND attribute_not_exists(movedToId)',
    ExpressionAttributeValues: { ':currentHash': currentHash },
  };
}

/** Removes an access token. */
export function accessTokenRemoval(token: IssuedToken, nowMs: number): Write {
  return token.isFormer
    ? { Put: { Item: revokedAccessToken(token, nowMs) } }
    : { Delete: { Key: keys.secret('access_token', token.hash) } };
}

/**
 * The record that revokes an access token of release 0.1.0, in the place of this release. The former record stays until it
 * expires: no function that issues or revokes tokens may write under the former key prefix, where operator keys can be.
 */
export function revokedAccessToken({ hash, expiresAtMs }: IssuedToken, nowMs: number): Item {
  const key = keys.secret('access_token', hash);
  return { ...key, kind: 'access_token', revokedAtMs: nowMs, ...timeToLive(expiresAtMs) };
}
