import { ApiError } from '../shared/contract/errors.ts';
import * as keys from '../shared/contract/keys.ts';
import { timeToLive } from '../shared/contract/time-to-live.ts';
import { recordProblem } from '../shared/runtime/log.ts';
import { exists, getItem, type Item, putItem, transactWrite, updateItem } from '../shared/table/table.ts';
import { burnShare, openApart, putApart, readRecord } from './apart-store.ts';
import {
  ifAbsent,
  type Opening,
  type Part,
  type Payload,
  packPayload,
  payloadNames,
  readParts,
  removeParts,
  removePayload,
  restOfBytes,
  settleRemovals,
  toShare,
} from './payload-store.ts';
import { headForOpening, proofAttributes } from './proof-store.ts';
import { minCountedBytes, type Protection, readModeFor, readModeOf, type Share, shareId } from './share.ts';

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

/** Shares in the table. */
export const shareStore = {
  /**
   * Stores a share atomically in one round trip: one put, or one transaction when the ciphertext is larger
   * than an item, or apart from the head.
   *
   * The write creates and never replaces: one that arrives after the share was opened must not bring it back. When the
   * share exists already, an earlier attempt of this write stored it, since nobody else has its random id.
   *
   * @param random the random part of the id.
   * @returns the id.
   */
  async put(share: Share, protection: Protection, random: string): Promise<string> {
    const { payload, rest } = packPayload(share);
    const mode = readModeFor(protection, payload);
    const id = shareId(mode, random);
    if (mode === 'apart') {
      await putApart(id, share, protection);
      return id;
    }
    const { createdAtMs, expiresAtMs } = share;
    const { accessProof } = protection;
    const ttl = timeToLive(expiresAtMs);
    const head: Head = {
      ...keys.share(id),
      ...payload,
      createdAtMs,
      expiresAtMs,
      ...(accessProof === undefined ? undefined : proofAttributes(accessProof)),
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
   * Opens a share; undefined when it is unknown, used up, burned, or expired.
   *
   * A view is claimed by one conditional update: of any number of concurrent readers no more succeed than the share has
   * views. After the last one its payload is removed before this returns.
   *
   * @throws ApiError when the share proof is wrong, or too many were: the share is not opened. The error of the byte limit,
   * or of the SDK: the share is opened only when the claim was carried out and none of its responses arrived.
   */
  async consume(id: string, opening: Opening): Promise<Share | undefined> {
    switch (readModeOf(id)) {
      case 'once':
        return consumeItem(id, opening);
      case 'onceInParts':
        return consumeParts(id, opening, getItem(keys.share(id)));
      case 'onceWithProof':
        return consumeParts(id, opening, headForOpening(id, opening));
      case 'many': {
        const stored = await readStored(id, opening, getItem(keys.share(id)));
        return stored && toShare(stored.head, stored.head, stored.parts);
      }
      case 'apart':
        return openApart(id, opening, minCountedBytes);
      default:
        return undefined;
    }
  },

  record: readRecord,
  burn: burnShare,
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
async function consumeItem(id: string, { nowMs, claim, bytes }: Opening): Promise<Share | undefined> {
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
  await Promise.all([
    settleRemovals([removal]),
    settleCounts([counted, ...restOfBytes(head).map(bytes.add)]),
  ]);
  return toShare(head, head, []);
}

/**
 * Opens a one-time share in parts in four round trips: the head; the parts; the claim, which removes the payload of the
 * head; the removal of the parts. One without parts takes two. The claim comes after all reads and counts, so that a reader
 * who fails or is refused before it consumes nothing.
 *
 * @param reading the head. A share proof is checked there, and once more in the condition of the claim.
 */
async function consumeParts(
  id: string,
  opening: Opening,
  reading: Promise<Item | undefined>,
): Promise<Share | undefined> {
  const stored = await readStored(id, opening, reading);
  if (stored === undefined) return undefined;
  const { nowMs, claim, proofHash } = opening;
  const { ExpressionAttributeValues, ConditionExpression } = claimCondition(nowMs, claim);
  const { head, parts } = stored;
  const proven = 'accessProof' in head ? { ':proof': proofHash } : undefined;
  const claimed = await updateItem(keys.share(id), {
    ConditionExpression: proven ? `${ConditionExpression} AND accessProof = :proof` : ConditionExpression,
    ExpressionAttributeNames: payloadNames,
    ExpressionAttributeValues: { ...ExpressionAttributeValues, ...proven },
    UpdateExpression: `SET claim = :claim ${removePayload}`,
    guard: { harmless: 'a claim is never replaced by another' },
  });
  if (!claimed.done) return undefined;
  await settleRemovals(removeParts(id, { from: 1, count: head.parts }));
  return toShare(head, head, parts);
}

/** The share is there, has not expired, and is claimed by nobody else. */
function claimCondition(nowMs: number, claim: string) {
  return {
    ConditionExpression: `${exists} AND expiresAtMs > :now AND (attribute_not_exists(claim) OR claim = :claim)`,
    ExpressionAttributeValues: { ':now': nowMs, ':claim': claim },
  };
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

/**
 * Reads a share without changing it, in one round trip, or two for a share in parts; undefined when it is unknown, consumed,
 * expired or being consumed.
 *
 * The counts of each request stand beside the head, and the others beside the parts. The rest of a share without parts is
 * counted with the caller's next request, because a further round trip would double the time of this one.
 */
async function readStored(
  id: string,
  { nowMs, bytes }: Opening,
  reading: Promise<Item | undefined>,
): Promise<StoredShare | undefined> {
  const [item] = await Promise.all([reading, bytes.add(minCountedBytes)]);
  const head = item as StoredHead | undefined;
  // The time to live removes the rest of an expired share.
  if (head === undefined || nowMs >= head.expiresAtMs || head.claim !== undefined) return undefined;
  const parts = await readParts(id, head, { from: 1, count: head.parts }, bytes);
  return parts && { head, parts };
}
