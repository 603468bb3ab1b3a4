/** The receipt of a share: its creator learns of it, and ends it. */
import * as keys from '../shared/contract/keys.ts';
import { isEqualInConstantTime } from '../shared/runtime/constant-time.ts';
import { exists, getItem, type Item, updateItem } from '../shared/table/table.ts';
import { type Head, viewedAtMs, viewsLeft } from './head-store.ts';
import { removeParts } from './payload-store.ts';
import { readModeOf, receiptKeptMs, type ShareRecord } from './share.ts';

/** The record of a share with this receipt; undefined when the token is wrong, or the receipt has expired. One round trip. */
export async function readRecord(
  id: string,
  receiptHash: string,
  nowMs: number,
): Promise<ShareRecord | undefined> {
  if (readModeOf(id) !== 'apart') return undefined;
  return recordOf(await getItem(keys.share(id)), receiptHash, nowMs);
}

/**
 * Burns a share, and returns its record; undefined when the token is wrong, or the receipt has expired.
 *
 * One conditional update burns it: either that comes first or the last claim, so that no reader opens a burned share. Its
 * payload is deleted before this returns, also by a repeat, when the first request died in between.
 *
 * @throws the error of the SDK when the payload was not deleted. A repeat deletes it.
 */
export async function burn(id: string, receiptHash: string, nowMs: number): Promise<ShareRecord | undefined> {
  if (readModeOf(id) !== 'apart') return undefined;
  const burned = await updateItem(keys.share(id), {
    ConditionExpression: `${exists} AND receiptHash = :receipt AND expiresAtMs > :now AND attribute_not_exists(burnedAtMs) AND ${viewsLeft}`,
    UpdateExpression: 'SET burnedAtMs = :now',
    ExpressionAttributeValues: { ':receipt': receiptHash, ':now': nowMs },
    guard: { once: 'burnedAtMs' },
  });
  const item = burned.done ? burned.item : burned.refused;
  const record = recordOf(item, receiptHash, nowMs);
  if (record !== undefined) await Promise.all(removeParts(id, { from: 1, count: (item as Head).parts }));
  return record;
}

function recordOf(item: Item | undefined, receiptHash: string, nowMs: number): ShareRecord | undefined {
  const head = item as Head | undefined;
  if (head?.receiptHash === undefined || !isEqualInConstantTime(head.receiptHash, receiptHash))
    return undefined;
  const { createdAtMs, expiresAtMs, maxViews = 1, claims = new Set(), burnedAtMs } = head;
  if (nowMs >= expiresAtMs + receiptKeptMs) return undefined;
  const viewsAtMs = [...claims].map(viewedAtMs).sort((a, b) => a - b);
  return { createdAtMs, expiresAtMs, maxViews, viewsAtMs, burnedAtMs };
}
