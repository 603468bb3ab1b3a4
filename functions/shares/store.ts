import { type PackedBase64, packBase64, unpackBase64 } from '../shared/base64.ts';
import { joinBlob, splitBlob } from '../shared/blob.ts';
import { keys, tableSchema } from '../shared/keys.ts';
import { deleteItem, getItem, type Item, putItem, transactWrite } from '../shared/table.ts';
import { readingOf, type Share } from './share.ts';

/** The head of a share: its first piece of ciphertext and all that is small. */
interface Head extends Item {
  data: Uint8Array;
  tail: string;
  alphabet: PackedBase64['alphabet'];
  totalBytes: number;
  /** Pieces beside the head. */
  parts: number;
  meta: string | null;
  iv: string;
  createdAtMs: number;
  expiresAtMs: number;
}

/** Shares in the table. */
export const shareStore = {
  /**
   * Stores a share whole or not at all, in one round trip: one put, or one transaction when the ciphertext is
   * larger than an item. The id is random, so writing twice writes the same.
   */
  async put(shareId: string, share: Share): Promise<void> {
    const { bytes, tail, alphabet } = packBase64(share.dataBlob);
    const [data, ...rest] = splitBlob(bytes);
    const { metaBlob: meta, iv, createdAtMs, expiresAtMs } = share;
    const ttl = { [tableSchema.timeToLive]: Math.ceil(expiresAtMs / 1000) };
    const head: Head = {
      ...keys.share(shareId),
      ...{ data, tail, alphabet, totalBytes: bytes.length, parts: rest.length },
      ...{ meta, iv, createdAtMs, expiresAtMs },
      ...ttl,
    };
    if (rest.length === 0) return putItem(head);
    const parts = rest.map((piece, i) => ({ ...keys.sharePart(shareId, i + 1), data: piece, ...ttl }));
    return transactWrite([head, ...parts].map((item) => ({ Put: { Item: item } })));
  },

  /**
   * Opens a share; undefined when it is absent, already opened, or expired at `nowMs`.
   *
   * The delete of the head is the read of a one-time share: of any number of readers exactly one gets the old
   * item back, and only he reaches for the parts, by deleting them too. All is gone before this returns.
   *
   * At most once is the promise that can be kept in one round trip: when the answer of the delete is lost on
   * its way from the table, so is the share.
   */
  async take(shareId: string, nowMs: number): Promise<Share | undefined> {
    const reading = readingOf(shareId);
    if (reading === undefined) return undefined;
    const fetch = reading === 'once' ? deleteItem : getItem;
    const head = (await fetch(keys.share(shareId))) as Head | undefined;
    // What is left of an expired one goes with the table's time to live.
    if (head === undefined || nowMs >= head.expiresAtMs) return undefined;
    const parts = await Promise.all(
      Array.from({ length: head.parts }, (_, i) => fetch(keys.sharePart(shareId, i + 1))),
    );
    const pieces = [head, ...parts].map((item) => item?.data as Uint8Array).filter(Boolean);
    return {
      dataBlob: unpackBase64({ ...head, bytes: joinBlob(pieces, head.totalBytes) }),
      metaBlob: head.meta,
      iv: head.iv,
      createdAtMs: head.createdAtMs,
      expiresAtMs: head.expiresAtMs,
    };
  },
};
