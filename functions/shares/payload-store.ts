import * as keys from '../shared/contract/keys.ts';
import type { ByteCount } from '../shared/lambda/byte-limit-check.ts';
import { recordProblem } from '../shared/runtime/log.ts';
import { type BlobHead, packBlob, unpackBlob } from '../shared/table/blob.ts';
import { deleteItem, exists, getItem, type Item } from '../shared/table/table.ts';
import { minCountedBytes, type Share } from './share.ts';

export interface Part extends Item {
  data: Uint8Array;
}

/** The payload of a share in its first item: the first part of the ciphertext, and what it is decrypted with. */
export interface Payload extends BlobHead {
  meta: string | null;
  iv: string;
}

export interface Opening {
  nowMs: number;
  /** A random token of this request. An update that the SDK sends again finds its own claim and succeeds. */
  claim: string;
  /** Counts what the caller receives. A share that is refused by it is not consumed. */
  bytes: ByteCount;
  /** The SHA-256 of the share proof, in hexadecimal; undefined when the request has none. */
  proofHash: string | undefined;
}

const payloadAttributes = [
  'data',
  'tail',
  'alphabet',
  'totalBytes',
  'parts',
  'meta',
  'iv',
] as const satisfies (keyof Payload)[];
export const removePayload = `REMOVE ${payloadAttributes.map((name) => `#${name}`).join(', ')}`;

/** The payload of a share as it is stored: its first item, and the data of further parts. */
export function packPayload({ dataBlob, metaBlob: meta, iv }: Share): {
  payload: Payload;
  rest: Uint8Array[];
} {
  const { head, rest } = packBlob(dataBlob);
  return { payload: { ...head, meta, iv }, rest };
}

export function toShare(
  payload: Payload,
  { createdAtMs, expiresAtMs }: Pick<Share, 'createdAtMs' | 'expiresAtMs'>,
  parts: readonly Part[],
): Share {
  const dataBlob = unpackBlob(
    payload,
    parts.map(({ data }) => data),
  );
  return { dataBlob, metaBlob: payload.meta, iv: payload.iv, createdAtMs, expiresAtMs };
}

/** The bytes of a response beyond what each request counts; empty when there are none. */
export function restOfBytes({ totalBytes, tail, meta }: Payload): number[] {
  const bytes = Math.ceil(totalBytes / 3) * 4 + tail.length + (meta?.length ?? 0) - minCountedBytes;
  return bytes > 0 ? [bytes] : [];
}

/**
 * Reads parts of a share in one round trip, and counts the rest of its bytes beside them.
 *
 * @param from the number of the first part that is read.
 * @returns undefined when one is missing: a concurrent reader used the share up, and removes its parts.
 */
export async function readParts(
  id: string,
  payload: Payload,
  { from, count }: { from: number; count: number },
  bytes: ByteCount,
): Promise<Part[] | undefined> {
  if (count === 0) {
    // A further round trip would double the time of this request: its caller's next one counts them.
    restOfBytes(payload).forEach(bytes.addLater);
    return [];
  }
  const [parts] = await Promise.all([
    Promise.all(partKeys(id, { from, count }).map(getItem)),
    ...restOfBytes(payload).map(bytes.add),
  ]);
  return parts.includes(undefined) ? undefined : (parts as Part[]);
}

export function removeParts(id: string, parts: { from: number; count: number }): Promise<void>[] {
  return partKeys(id, parts).map((key) =>
    deleteItem(key, { ConditionExpression: exists, guard: { once: 'pk' } }),
  );
}

const partKeys = (id: string, { from, count }: { from: number; count: number }) =>
  Array.from({ length: count }, (_, i) => keys.sharePart(id, from + i));

/**
 * Waits for removals after a claim. Their failure does not fail the request: nobody else can open the share, and the time
 * to live removes what is left.
 */
export async function settleRemovals(removals: Promise<unknown>[]): Promise<void> {
  for (const removal of await Promise.allSettled(removals))
    if (removal.status === 'rejected')
      recordProblem('the payload of a share was not removed', removal.reason);
}
