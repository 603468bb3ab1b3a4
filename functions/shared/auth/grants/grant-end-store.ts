/**
 * The beginning of grants, and their end together with the security stamp of their user. No grant begins under a stamp that has
 * ended, and none ends with a stamp unsaid.
 */

import { hasCurrentStamp } from '../../accounts/security-stamp.ts';
import type { User } from '../../accounts/users.ts';
import * as keys from '../../contract/keys.ts';
import { chunks } from '../../runtime/chunks.ts';
import { dayMs } from '../../runtime/clock.ts';
import { queryPage } from '../../table/query.ts';
import { getRecord, recordReader } from '../../table/record.ts';
import { transactWrite, type Write } from '../../table/table.ts';
import type { Withdrawer } from './consent.ts';
import { consentGranted, consentsWithdrawn } from './consent-events.ts';
import { type Grant, isUsable } from './grant.ts';
import { grantItem, ifUnchanged, readGrant } from './grant-store.ts';

/**
 * The record that orders the beginning of a user's grants and the end of all of them. Every grant that begins replaces `newestId`, on the
 * condition that its stamp has not ended. Every end of a stamp adds it, on the condition that `newestId` is as it was read.
 */
interface GrantHead {
  newestId?: string;
  endedStamps?: ReadonlySet<string>;
}

/** The grants of a user that a new security stamp would end, as they were read. */
export interface OpenGrants {
  head: GrantHead | undefined;
  grants: readonly Grant[];
}

/** A code is redeemed within a minute and a request takes 25 seconds: a head is needed no longer than that. */
const headLifetimeMs = dayMs;

/**
 * The most grants that end in one transaction. With an application each they take 80 of its 100 items, and a reset with a vault
 * takes 14.
 */
export const maxGrantsAtOnce = 40;

/** In place of the stamp of a user who has none. */
const noStamp = 'none';

export function beginWrites(grant: Grant, nowMs: number): Write[] {
  const { familyId, userId, securityStamp = noStamp } = grant;
  return [
    { Put: { Item: grantItem(grant, nowMs) } },
    {
      Update: {
        Key: keys.grantHead(userId),
        UpdateExpression: 'SET newestId = :id, #ttl = :expires',
        ConditionExpression: 'attribute_not_exists(endedStamps) OR NOT contains(endedStamps, :stamp)',
        ExpressionAttributeValues: {
          ':id': familyId,
          ':stamp': securityStamp,
          ':expires': keys.expirySeconds(nowMs + headLifetimeMs),
        },
      },
    },
    ...consentGranted(grant),
  ];
}

const readGrantHead = recordReader<GrantHead>([]);

/** Ends all grants of a user when their security stamp is replaced. */
export const grantEndStore = {
  /** The grants that can be used. The head is read first: a grant that begins later replaces what was read. */
  async find(userId: string, nowMs: number): Promise<OpenGrants> {
    const head = await getRecord(keys.grantHead(userId), readGrantHead);
    const grants: Grant[] = [];
    let startAfter: Awaited<ReturnType<typeof queryPage>>['lastKey'];
    do {
      const { items, lastKey } = await queryPage({ partition: keys.grantPartition(userId), startAfter });
      grants.push(...items.map(readGrant).filter((grant) => isUsable(grant, nowMs)));
      startAfter = lastKey;
    } while (startAfter !== undefined);
    return { head, grants };
  },

  /**
   * The writes that end every grant of the user's present stamp, with its event, for the transaction that replaces the stamp.
   * The tokens stay until they expire: no request accepts them under another stamp.
   *
   * More grants than one transaction ends are ended here, before the stamp.
   *
   * @returns undefined when a grant has changed since it was read.
   */
  async endWrites(
    user: User,
    { head, grants }: OpenGrants,
    withdrawal: { by: Withdrawer; atMs: number },
  ): Promise<Write[] | undefined> {
    const open = grants.filter((grant) => hasCurrentStamp(user, grant));
    const [last = [], ...before] = chunks(open, maxGrantsAtOnce).toReversed();
    for (const some of before) {
      if (!(await transactWrite(withdrawals(some, withdrawal)))) return undefined;
    }
    return [stampEnd(user, head, withdrawal.atMs), ...withdrawals(last, withdrawal)];
  },
};

function stampEnd(
  { userId, securityStamp = noStamp }: User,
  head: GrantHead | undefined,
  atMs: number,
): Write {
  const newestId = head?.newestId;
  return {
    Update: {
      Key: keys.grantHead(userId),
      UpdateExpression: 'ADD endedStamps :stamp SET #ttl = :expires',
      ConditionExpression: newestId === undefined ? 'attribute_not_exists(newestId)' : 'newestId = :newestId',
      ExpressionAttributeValues: Object.assign(
        { ':stamp': new Set([securityStamp]), ':expires': keys.expirySeconds(atMs + headLifetimeMs) },
        newestId === undefined ? undefined : { ':newestId': newestId },
      ),
    },
  };
}

function withdrawals(grants: readonly Grant[], withdrawal: { by: Withdrawer; atMs: number }): Write[] {
  return [
    ...grants.map((grant): Write => {
      const unchanged = ifUnchanged(grant);
      return {
        Update: {
          Key: keys.grant(grant.userId, grant.familyId),
          UpdateExpression: 'SET revokedAtMs = :now',
          ...unchanged,
          ExpressionAttributeValues: { ...unchanged.ExpressionAttributeValues, ':now': withdrawal.atMs },
        },
      };
    }),
    ...consentsWithdrawn(grants, withdrawal),
  ];
}
