import { keys, tableSchema } from '../shared/contract/keys.ts';
import { type BlobHead, packBlob, unpackBlob } from '../shared/table/blob.ts';
import {
  deleteReturning,
  getItem,
  type Item,
  notExists,
  putItem,
  transactWrite,
} from '../shared/table/table.ts';
import { readModeOf, type Share, shareId } from './share.ts';

interface Part extends Item {
  data: Uint8Array;
}

/** The head of a share: the first part of the ciphertext, and all small attributes. */
interface Head extends Item, BlobHead {
  meta: string | null;
  iv: string;
  createdAtMs: number;
  expiresAtMs: number;
}

/** Shares in the table. */
export const shareStore = {
  /**
   * Stores a share atomically in one round trip: one put, or one transaction when the ciphertext is larger
   * than an item. The id is random, so a resent write has no further effect.
   *
   * @param random the random part of the id.
   * @returns the id.
   */
  async put(share: Share, oneTime: boolean, random: string): Promise<string> {
    const { head: blob, rest } = packBlob(share.dataBlob);
    const once = rest.length > 0 ? 'onceInParts' : 'once';
    const id = shareId(oneTime ? once : 'many', random);
    const { metaBlob: meta, iv, createdAtMs, expiresAtMs } = share;
    const ttl = { [tableSchema.timeToLive]: Math.ceil(expiresAtMs / 1000) };
    const head: Head = {
      ...keys.share(id),
      ...blob,
      meta,
      iv,
      createdAtMs,
      expiresAtMs,
      ...ttl,
    };
    if (rest.length === 0) await putItem(head, { ConditionExpression: notExists, guard: { once: 'pk' } });
    else {
      const parts = rest.map((data, i) => ({ ...keys.sharePart(id, i + 1), data, ...ttl }));
      await transactWrite([head, ...parts].map((item) => ({ Put: { Item: item } })));
    }
    return id;
  },

  /**
   * Opens a share; undefined when it is unknown, consumed, or expired at `nowMs`.
   *
   * The delete of the head is the read of a one-time share: of any number of concurrent readers exactly one
   * gets the item. One round trip can only guarantee at-most-once: when the response of the delete is lost,
   * so is the share. A share in parts is read first and then claimed by the same delete, so that a reader who
   * fails before the delete consumes nothing.
   */
  async consume(id: string, nowMs: number): Promise<Share | undefined> {
    const mode = readModeOf(id);
    if (mode === undefined) return undefined;
    const head = (await (mode === 'once' ? deleteReturning : getItem)(keys.share(id))) as Head | undefined;
    // The time to live removes the rest of an expired share.
    if (head === undefined || nowMs >= head.expiresAtMs) return undefined;

    const partKeys = Array.from({ length: head.parts }, (_, i) => keys.sharePart(id, i + 1));
    const parts = (await Promise.all(partKeys.map(getItem))) as Part[];
    if (mode === 'onceInParts') {
      // A concurrent reader was faster, and may have deleted some of the parts.
      if ((await deleteReturning(keys.share(id))) === undefined) return undefined;
      // Without the head no part is reachable. The time to live removes parts that could not be deleted.
      await Promise.allSettled(partKeys.map(deleteReturning));
    }
    return toShare(head, parts);
  },
};

function toShare(head: Head, parts: Part[]): Share {
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
