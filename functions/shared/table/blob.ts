import { type PackedBase64, packBase64, unpackBase64 } from '../fields/base64.ts';

/**
 * Base64 texts larger than an item, as pieces that each fit one: the head's, and those of further items.
 *
 * DynamoDB takes 400 KB an item, attribute names and all, and 4 MB a transaction: 3 MiB make nine pieces.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html
 */

/** Bytes of blob in one item; leaves 32 KiB for the other attributes. */
export const pieceBytes = 368 * 1024;

/** What the item that makes a blob exist holds of it: the first piece, and how the text is put together again. */
export interface BlobHead {
  data: Uint8Array;
  tail: string;
  alphabet: PackedBase64['alphabet'];
  totalBytes: number;
  /** Pieces beside the head. */
  parts: number;
}

/** Packs valid Base64 text into a head and further pieces. */
export function packBlob(text: string): { head: BlobHead; rest: Uint8Array[] } {
  const { bytes, tail, alphabet } = packBase64(text);
  const [data, ...rest] = splitBlob(bytes);
  return { head: { data, tail, alphabet, totalBytes: bytes.length, parts: rest.length }, rest };
}

/**
 * The text that was packed, to the character.
 * @throws Error when pieces are missing or cut.
 */
export function unpackBlob(head: BlobHead, rest: readonly Uint8Array[]): string {
  return unpackBase64({ ...head, bytes: joinBlob([head.data, ...rest], head.totalBytes) });
}

/** At least one piece (an empty blob is one empty piece); only the last is shorter than `pieceBytes`. */
export function splitBlob(bytes: Uint8Array): [Uint8Array, ...Uint8Array[]] {
  const first = bytes.subarray(0, pieceBytes);
  const rest: Uint8Array[] = [];
  for (let at = pieceBytes; at < bytes.length; at += pieceBytes)
    rest.push(bytes.subarray(at, at + pieceBytes));
  return [first, ...rest];
}

/**
 * The blob again.
 * @throws Error when pieces are missing or cut: `totalBytes` is what was split.
 */
export function joinBlob(pieces: readonly Uint8Array[], totalBytes: number): Uint8Array {
  const joined = Buffer.concat(pieces);
  if (joined.length !== totalBytes) {
    throw new Error(`A blob of ${totalBytes} bytes came back with ${joined.length}`);
  }
  return joined;
}
