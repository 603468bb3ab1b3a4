/**
 * The requests of an application: their limit, and what operators see of them. Both are one item, which each request writes
 * once, so that the last use of a key costs nothing more.
 */

import * as keys from '../contract/keys.ts';
import type { Limit } from '../contract/route.ts';
import { keyUseDays, type SecretRecord } from '../contract/secret.ts';
import type { Counted } from '../lambda/rate-limit-check.ts';
import { dayMs, hourMs, minuteMs, secondMs } from '../runtime/clock.ts';
import * as env from '../runtime/env.ts';
import { ExpiringCache } from '../runtime/expiring-cache.ts';
import { recordProblem } from '../runtime/log.ts';
import { consume } from '../table/rate-limit.ts';
import { slidingWindowUpdate } from '../table/sliding-window.ts';
import { exists, getItem, type Item, updateItem } from '../table/table.ts';

const group = 'application';
const keptMs = keyUseDays * dayMs;

/**
 * One limit per application, across all callers and secrets of the application.
 *
 * @param record of the key of the request. Without a `keyId` none was used: a user's token is no key of the application.
 */
export function countedApplication({
  applicationId = '',
  keyId,
}: Partial<Pick<SecretRecord, 'applicationId' | 'keyId'>>): Counted {
  const limit = { group, max: env.applicationRequestsPerSecond(), windowMs: secondMs };
  return {
    limit,
    key: applicationId,
    count: (_, caller, nowMs) =>
      consume(limit, caller, nowMs, {
        update: countedUse(limit, keyId, nowMs),
        onRefusal: (log) => noteRefusal(caller, log, nowMs),
      }),
  };
}

/**
 * The update that counts a request, with the use of its key. Reads compare times, so that the item may stay: 40 bytes for each
 * key of the last 90 days, revoked ones too. An item with 50 times has room for ten keys in its unit of 1 KB.
 */
function countedUse(limit: Limit, keyId: string | undefined, nowMs: number) {
  const update = slidingWindowUpdate(limit, nowMs);
  return {
    UpdateExpression: `${update.UpdateExpression}${keyId === undefined ? '' : `, #${keyId}=:now`}`,
    ConditionExpression: update.ConditionExpression,
    ExpressionAttributeValues: {
      ...update.ExpressionAttributeValues,
      ':expires': keys.expirySeconds(nowMs + keptMs),
    },
  };
}

/**
 * Notes when a request was refused, once a minute at most: the refused count has read the note before. Without the note the
 * request is refused as well.
 */
async function noteRefusal(applicationId: string, log: Item | undefined, nowMs: number): Promise<void> {
  if (nowMs - Number(log?.refusedAtMs ?? 0) < minuteMs) return;
  try {
    await updateItem(
      keys.rateLimit(group, applicationId),
      {
        UpdateExpression: 'SET refusedAtMs = :now',
        ConditionExpression: `${exists} AND (attribute_not_exists(refusedAtMs) OR refusedAtMs < :now)`,
        ExpressionAttributeValues: { ':now': nowMs },
        guard: { newest: 'refusedAtMs' },
      },
      'NONE',
    );
  } catch (error) {
    recordProblem('the refusal of a request is not noted', error);
  }
}

/** The keys whose use this function has noted, for an hour. */
const noted = new ExpiringCache<true>(1_000);

/**
 * Notes the use of a key by a request that is not counted against the limit of its application, once an hour. Without the
 * note the request goes on as well.
 */
export async function noteKeyUse(applicationId: string, keyId: string, nowMs: number): Promise<void> {
  if (noted.get(keyId, nowMs)) return;
  noted.set(keyId, true, nowMs + hourMs);
  try {
    await updateItem(
      keys.rateLimit(group, applicationId),
      {
        UpdateExpression: `SET #${keyId} = :now, #ttl = :expires`,
        ConditionExpression: `attribute_not_exists(#${keyId}) OR #${keyId} < :now`,
        ExpressionAttributeValues: { ':now': nowMs, ':expires': keys.expirySeconds(nowMs + keptMs) },
        guard: { newest: keyId },
      },
      'NONE',
    );
  } catch (error) {
    noted.delete(keyId);
    recordProblem('the use of a key is not noted', error);
  }
}

/** As far as they are known. Times in epoch milliseconds. */
export interface ApplicationUse {
  readonly keys: ReadonlyMap<string, number>;
  /** The requests of the last second that were within the limit. */
  readonly requests: number;
  /** The last request that was refused, to within a minute. */
  readonly refusedAtMs: number | undefined;
}

/** The requests of an application in the last 90 days, as far as they are known. The table deletes the item later than that. */
export async function readApplicationUse(applicationId: string, nowMs: number): Promise<ApplicationUse> {
  const item = await getItem(keys.rateLimit(group, applicationId));
  const times = Object.entries(item ?? {}).flatMap(([name, value]) =>
    typeof value === 'number' && nowMs - value < keptMs ? [[name, value] as const] : [],
  );
  return {
    keys: new Map(times.filter(([name]) => name.startsWith('key_'))),
    requests: times.filter(([name, atMs]) => /^h\d+$/.test(name) && nowMs - atMs < secondMs).length,
    refusedAtMs: times.find(([name]) => name === 'refusedAtMs')?.[1],
  };
}
