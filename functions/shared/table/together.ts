/** Writes of one item that become a transaction when other writes go with them. Without others they cost no more than alone. */
import type { Key } from '../contract/keys.ts';
import {
  type Guarded,
  type GuardedUpdate,
  getItem,
  type Item,
  putItem,
  transactWrite,
  type UpdateResult,
  updateItem,
  type Write,
} from './table.ts';

/** As {@link putItem}, all or nothing with the others. */
export function putTogether(item: Item, guarded: Guarded, others: readonly Write[]): Promise<boolean> {
  if (others.length === 0) return putItem(item, guarded);
  const { guard: _, ...condition } = guarded;
  return transactWrite([{ Put: { Item: item, ...condition } }, ...others]);
}

/**
 * As {@link updateItem}, all or nothing with the others. A transaction returns no item: it is read after it.
 *
 * @returns the item as it is then. One that was removed meanwhile is refused.
 */
export async function updateTogether(
  key: Key,
  guarded: GuardedUpdate,
  others: readonly Write[],
): Promise<UpdateResult> {
  if (others.length === 0) return updateItem(key, guarded);
  const { guard: _, isOwn: __, ...update } = guarded;
  const isWritten = await transactWrite([{ Update: { Key: key, ...update } }, ...others]);
  const item = await getItem(key);
  return isWritten && item !== undefined ? { done: true, item } : { done: false, refused: item };
}
