import { type PackedBase64, packBase64, unpackBase64 } from '../fields/base64.ts';

/**
 * Base64 texts larger than an item, split into parts: the first is stored in the head item, each other in its own item.
 *
 * DynamoDB limits an item to 400 KB including attribute names, and a transaction to 4 MB: 3 MiB take nine parts.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html
 */

/** Bytes of a blob in one item. Leaves 32 KiB for the other attributes. */
export const partBytes = 368 * 1024;

/** The attributes of the head item: the first part, and the rest of what the text is restored from. */
export interface BlobHead {
  data: Uint8Array;
  tail: string;
  alphabet: PackedBase64['alphabet'];
  totalBytes: number;
  parts: number;
}

/** Packs valid Base64 text into a head and further parts. */
export function packBlob(text: string): { head: BlobHead; rest: Uint8Array[] } {
  const { bytes, tail, alphabet } = packBase64(text);
  const [data, ...rest] = splitBlob(bytes);
  return { head: { data, tail, alphabet, totalBytes: bytes.length, parts: rest.length }, rest };
}

/** Restores the packed text, character for character. @throws Error when a part is missing or truncated. */
export function unpackBlob(head: BlobHead, rest: readonly Uint8Array[]): string {
  return unpackBase64({ ...head, bytes: joinBlob([head.data, ...rest], head.totalBytes) });
}

/** At least one part: an empty blob is one empty part. Only the last is shorter than `partBytes`. */
export function splitBlob(bytes: Uint8Array): [Uint8Array, ...Uint8Array[]] {
  const first = bytes.subarray(0, partBytes);
  const rest: Uint8Array[] = [];
  for (let at = partBytes; at < bytes.length; at += partBytes) rest.push(bytes.subarray(at, at + partBytes));
  return [first, ...rest];
}

/** Restores a blob. @throws Error when the parts do not add up to `totalBytes`. */
export function joinBlob(parts: readonly Uint8Array[], totalBytes: number): Uint8Array {
  const joined = Buffer.concat(parts);
  if (joined.length !== totalBytes) {
    throw new Error(`A blob of ${totalBytes} bytes was restored with ${joined.length}`);
  }
  return joined;
}
