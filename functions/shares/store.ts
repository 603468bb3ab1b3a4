import { ApiError } from '../shared/contract/errors.ts';
import { keys } from '../shared/contract/keys.ts';
import { timeToLive } from '../shared/contract/time-to-live.ts';
import type { ByteCount } from '../shared/lambda/byte-limit-check.ts';
import { recordProblem } from '../shared/runtime/log.ts';
import { type BlobHead, packBlob, unpackBlob } from '../shared/table/blob.ts';
import {
  deleteItem,
  exists,
  getItem,
  type Item,
  notExists,
  putItem,
  transactWrite,
  updateItem,
} from '../shared/table/table.ts';
import { minCountedBytes, readModeOf, type Share, shareId } from './share.ts';

interface Part extends Item {
  data: Uint8Array;
}

/** The payload of a share in its head: the first part of the ciphertext, and what it is decrypted with. */
interface Payload extends BlobHead {
  meta: string | null;
  iv: string;
}

/**
 * The head of a share. The head of a one-time share outlives its opening: without its payload, as a tombstone, it stays
 * until the share expires, so that a write of the share that arrives late meets it.
 */
interface Head extends Item, Payload {
  createdAtMs: number;
  expiresAtMs: number;
}

/** A head, and the attribute that tells a claimed one from others. */
interface StoredHead extends Head {
  claim?: string;
}

const ifAbsent = { ConditionExpression: notExists };

/** The attributes that an opened one-time share loses. */
const payloadAttributes = [
  'data',
  'tail',
  'alphabet',
  'totalBytes',
  'parts',
  'meta',
  'iv',
] as const satisfies (keyof Payload)[];
const payloadNames = Object.fromEntries(payloadAttributes.map((name) => [`#${name}`, name]));
const removePayload = `REMOVE ${Object.keys(payloadNames).join(', ')}`;

/** Shares in the table. */
export const shareStore = {
  /**
   * Stores a share atomically in one round trip: one put, or one transaction when the ciphertext is larger
   * than an item.
   *
   * The write creates and never replaces: one that arrives after the share was opened must not bring it back. When the
   * share exists already, an earlier attempt of this write stored it, since nobody else has its random id.
   *
   * @param random the random part of the id.
   * @returns the id.
   */
  async put(share: Share, oneTime: boolean, random: string): Promise<string> {
    const { head: blob, rest } = packBlob(share.dataBlob);
    const once = rest.length > 0 ? 'onceInParts' : 'once';
    const id = shareId(oneTime ? once : 'many', random);
    const { metaBlob: meta, iv, createdAtMs, expiresAtMs } = share;
    const ttl = timeToLive(expiresAtMs);
    const head: Head = {
      ...keys.share(id),
      ...blob,
      meta,
      iv,
      createdAtMs,
      expiresAtMs,
      ...ttl,
    };
    if (rest.length === 0) await putItem(head, { ...ifAbsent, guard: { once: 'pk' } });
    else {
      const parts = rest.map((data, i) => ({ ...keys.sharePart(id, i + 1), data, ...ttl }));
      await transactWrite([head, ...parts].map((item) => ({ Put: { Item: item, ...ifAbsent } })));
    }
    return id;
  },

  /**
   * Opens a share; undefined when it is unknown, consumed, or expired at `nowMs`.
   *
   * A one-time share is claimed by one conditional update: of any number of concurrent readers exactly one succeeds. Its
   * payload is removed before this returns.
   *
   * @param bytes counts what the caller receives. A share that is refused by it is not consumed.
   * @param claim a random token of this request. An update that the SDK sends again finds its own claim and succeeds.
   * @throws the error of the byte limit, or of the SDK. The share is consumed only when the claim was carried out and none
   * of its responses arrived.
   */
  async consume(id: string, nowMs: number, claim: string, bytes: ByteCount): Promise<Share | undefined> {
    switch (readModeOf(id)) {
      case 'once':
        return consumeItem(id, nowMs, claim, bytes);
      case 'onceInParts':
        return consumeParts(id, nowMs, claim, bytes);
      case 'many': {
        const stored = await readStored(id, nowMs, bytes);
        return stored && toShare(stored);
      }
      default:
        return undefined;
    }
  },
};

/** A share as it is stored. */
interface StoredShare {
  head: Head;
  parts: Part[];
}

/**
 * Opens a one-time share of one item in two round trips: the claim, whose response has the payload, and its removal. The
 * condition of the claim refuses absent, expired and consumed shares alike, and the refusal returns no item.
 *
 * Its bytes are counted beside the claim and beside the removal. A share that was claimed is handed out whatever the counts
 * say: it is handed out once, so the limit of creations bounds these bytes. They keep the next request of the caller from
 * passing.
 */
async function consumeItem(
  id: string,
  nowMs: number,
  claim: string,
  bytes: ByteCount,
): Promise<Share | undefined> {
  const claiming = updateItem(
    keys.share(id),
    {
      ...claimCondition(nowMs, claim),
      UpdateExpression: 'SET claim = :claim',
      guard: { harmless: 'a claim is never replaced by another' },
    },
    'NONE',
  );
  const counted = bytes.add(minCountedBytes);
  // Not awaited yet: without a handler, a rejection would end the process.
  counted.catch(() => undefined);
  const claimed = await claiming;
  if (!claimed.done) {
    await counted;
    return undefined;
  }
  const head = claimed.item as Head;
  const removal = updateItem(keys.share(id), {
    ConditionExpression: 'claim = :claim',
    ExpressionAttributeNames: payloadNames,
    ExpressionAttributeValues: { ':claim': claim },
    UpdateExpression: removePayload,
    guard: { harmless: 'the payload is removed for good' },
  });
  await Promise.all([settleRemovals([removal]), settleCounts([counted, ...rest(head).map(bytes.add)])]);
  return toShare({ head, parts: [] });
}

/**
 * Opens a one-time share in parts in four round trips: the head; the parts; the claim, which removes the payload of the
 * head; the removal of the parts. The claim comes after all reads and counts, so that a reader who fails or is refused before
 * it consumes nothing.
 */
async function consumeParts(
  id: string,
  nowMs: number,
  claim: string,
  bytes: ByteCount,
): Promise<Share | undefined> {
  const stored = await readStored(id, nowMs, bytes);
  if (stored === undefined) return undefined;
  const { ExpressionAttributeValues, ConditionExpression } = claimCondition(nowMs, claim);
  const claimed = await updateItem(keys.share(id), {
    ConditionExpression,
    ExpressionAttributeNames: payloadNames,
    ExpressionAttributeValues,
    UpdateExpression: `SET claim = :claim ${removePayload}`,
    guard: { harmless: 'a claim is never replaced by another' },
  });
  if (!claimed.done) return undefined;
  await settleRemovals(
    partKeys(id, stored.head).map((key) =>
      deleteItem(key, { ConditionExpression: exists, guard: { once: 'pk' } }),
    ),
  );
  return toShare(stored);
}

/** The share is there, has not expired, and is claimed by nobody else. */
function claimCondition(nowMs: number, claim: string) {
  return {
    ConditionExpression: `${exists} AND expiresAtMs > :now AND (attribute_not_exists(claim) OR claim = :claim)`,
    ExpressionAttributeValues: { ':now': nowMs, ':claim': claim },
  };
}

/**
 * Waits for removals after a claim. Their failure does not fail the request: nobody else can open the share, and the time
 * to live removes what is left.
 */
async function settleRemovals(removals: Promise<unknown>[]): Promise<void> {
  for (const removal of await Promise.allSettled(removals))
    if (removal.status === 'rejected')
      recordProblem('the payload of a share was not removed', removal.reason);
}

/**
 * Waits for counts after a claim. Neither a refusal nor a failure fails the request, because the share cannot be opened
 * again.
 */
async function settleCounts(counts: Promise<void>[]): Promise<void> {
  for (const count of await Promise.allSettled(counts))
    if (count.status === 'rejected' && !(count.reason instanceof ApiError))
      recordProblem('the bytes of a share were not counted', count.reason);
}

/** The bytes of a response beyond what each request counts; empty when there are none. */
function rest({ totalBytes, tail, meta }: Head): number[] {
  const bytes = Math.ceil(totalBytes / 3) * 4 + tail.length + (meta?.length ?? 0) - minCountedBytes;
  return bytes > 0 ? [bytes] : [];
}

/**
 * Reads a share without changing it, in one round trip, or two for a share in parts; undefined when it is unknown, consumed,
 * expired or being consumed.
 *
 * What each request counts is counted beside the head, and the rest beside the parts. The rest of a share without parts is
 * counted with the caller's next request, because a further round trip would double the time of this one.
 */
async function readStored(id: string, nowMs: number, bytes: ByteCount): Promise<StoredShare | undefined> {
  const [item] = await Promise.all([getItem(keys.share(id)), bytes.add(minCountedBytes)]);
  const head = item as StoredHead | undefined;
  // The time to live removes the rest of an expired share.
  if (head === undefined || nowMs >= head.expiresAtMs || head.claim !== undefined) return undefined;
  if (head.parts === 0) {
    rest(head).forEach(bytes.addLater);
    return { head, parts: [] };
  }
  const [parts] = await Promise.all([
    Promise.all(partKeys(id, head).map(getItem)),
    ...rest(head).map(bytes.add),
  ]);
  // A concurrent reader claimed the share and removes its parts.
  if (parts.includes(undefined)) return undefined;
  return { head, parts: parts as Part[] };
}

const partKeys = (id: string, head: Head) =>
  Array.from({ length: head.parts }, (_, i) => keys.sharePart(id, i + 1));

function toShare({ head, parts }: StoredShare): Share {
  const { meta: metaBlob, iv, createdAtMs, expiresAtMs } = head;
  return {
    dataBlob: unpackBlob(
      head,
      parts.map(({ data }) => data),
    ),
    metaBlob,
    iv,
    createdAtMs,
    expiresAtMs,
  };
}
