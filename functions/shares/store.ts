import { keys, tableSchema } from '../shared/contract/keys.ts';
import { type BlobHead, packBlob, unpackBlob } from '../shared/table/blob.ts';
import { deleteReturning, getItem, type Item, putItem, transactWrite } from '../shared/table/table.ts';
import { readModeOf, type Share, shareId } from './share.ts';

interface Part extends Item {
  data: Uint8Array;
}

/** The head of a share: its first piece of ciphertext and all that is small. */
interface Head extends Item, BlobHead {
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
   *
   * @param random what makes the id impossible to guess.
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
    if (rest.length === 0) await putItem(head);
    else {
      const parts = rest.map((piece, i) => ({ ...keys.sharePart(id, i + 1), data: piece, ...ttl }));
      await transactWrite([head, ...parts].map((item) => ({ Put: { Item: item } })));
    }
    return id;
  },

  /**
   * Opens a share; undefined when it is absent, already opened, or expired at `nowMs`.
   *
   * The delete of the head is the read of a one-time share: of any number of readers exactly one gets the old
   * item back. At most once is the promise that one round trip can keep: when the answer of that delete is lost
   * on its way from the table, so is the share. A share in parts is collected first and claimed then, by the
   * same delete, so that a reader who fails on the way to it burns nothing.
   */
  async consume(id: string, nowMs: number): Promise<Share | undefined> {
    const reading = readModeOf(id);
    if (reading === undefined) return undefined;
    const head = (await (reading === 'once' ? deleteReturning : getItem)(keys.share(id))) as Head | undefined;
    // What is left of an expired one goes with the table's time to live.
    if (head === undefined || nowMs >= head.expiresAtMs) return undefined;

    const partKeys = Array.from({ length: head.parts }, (_, i) => keys.sharePart(id, i + 1));
    const parts = (await Promise.all(partKeys.map(getItem))) as Part[];
    if (reading === 'onceInParts') {
      // Whoever comes second has collected in vain, perhaps only half of it.
      if ((await deleteReturning(keys.share(id))) === undefined) return undefined;
      // Without its head nothing finds a part; one that stays behind goes with its time to live.
      await Promise.allSettled(partKeys.map(deleteReturning));
    }
    return opened(head, parts);
  },
};

function opened(head: Head, parts: Part[]): Share {
  const pieces = parts.map(({ data }) => data);
  const { meta: metaBlob, iv, createdAtMs, expiresAtMs } = head;
  return { dataBlob: unpackBlob(head, pieces), metaBlob, iv, createdAtMs, expiresAtMs };
}
