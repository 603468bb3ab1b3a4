/**
 * Blobs larger than an item, as pieces that each fit one.
 *
 * DynamoDB takes 400 KB an item, attribute names and all, and 4 MB a transaction: 3 MiB make nine pieces.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html
 */

/** Bytes of blob in one item; leaves 32 KiB for the other attributes. */
export const pieceBytes = 368 * 1024;

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
