import type { Key } from '../contract/keys.ts';
import { retryOnConflict } from './optimistic-retry.ts';
import { type GuardedUpdate, type Item, type Update, type UpdateResult, updateItem } from './table.ts';

interface WriteOrder {
  timeAttribute: string;
  idAttribute: string;
}

/**
 * Updates an item without reading it first, on the condition that it has no newer write and not this one: a
 * copy that arrives late is refused, and so is an attempt of a write that has been made.
 *
 * The clocks of functions differ. An update that meets a later time is sent again with a time after that one,
 * because its caller still waits and it is the newest.
 *
 * @param write `writeId` is unique to the write. `nowMs` is its time.
 * @param update sets both attributes: the time to `atMs`, the id to `writeId`.
 * @returns as `updateItem`: `refused` is an item that fails the condition of `update` itself.
 */
export async function updateNewest(
  key: Key,
  { timeAttribute, idAttribute }: WriteOrder,
  { nowMs, writeId }: { nowMs: number; writeId: string },
  update: (atMs: number) => Update,
): Promise<UpdateResult> {
  let atMs = nowMs;
  return retryOnConflict(async () => {
    const outcome = await updateItem(key, guarded(update(atMs)));
    if (outcome.done) return outcome;
    const newestMs = outcome.refused?.[timeAttribute];
    if (typeof newestMs !== 'number' || newestMs <= atMs) return outcome;
    atMs = newestMs + 1;
    return undefined;
  });

  function guarded(plain: Update): GuardedUpdate {
    const isNewest = [
      '(attribute_not_exists(#time) OR #time <= :time)',
      '(attribute_not_exists(#id) OR #id <> :id)',
    ];
    const { ConditionExpression } = plain;
    return {
      ...plain,
      ConditionExpression: [...isNewest, ConditionExpression && `(${ConditionExpression})`]
        .filter(Boolean)
        .join(' AND '),
      ExpressionAttributeNames: {
        ...plain.ExpressionAttributeNames,
        '#time': timeAttribute,
        '#id': idAttribute,
      },
      ExpressionAttributeValues: { ...plain.ExpressionAttributeValues, ':time': atMs, ':id': writeId },
      guard: { newest: timeAttribute },
      isOwn: (stored: Item) => stored[idAttribute] === writeId,
    };
  }
}
