import { defined } from '../shared/contract/defined.ts';
import { ApiError } from '../shared/contract/errors.ts';
import * as keys from '../shared/contract/keys.ts';
import { recordProblem } from '../shared/runtime/log.ts';
import { exists, getItem, notExists, putItem, transactWrite, updateItem } from '../shared/table/table.ts';
import { type Head, headForOpening, proofAttributes, viewsLeft, viewText } from './head-store.ts';
import {
  type Opening,
  type Part,
  type Payload,
  packPayload,
  readParts,
  removeParts,
  removePayload,
  restOfBytes,
  settleRemovals,
  toShare,
} from './payload-store.ts';
import {
  minCountedBytes,
  type Protection,
  type ReadMode,
  readModeFor,
  readModeOf,
  receiptKeptMs,
  type Share,
  shareId,
} from './share.ts';

const ifAbsent = { ConditionExpression: notExists };

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
    const { createdAtMs, expiresAtMs } = share;
    const { accessProof, maxViews, receiptHash } = protection;
    const { payload, rest } = packPayload(share);
    const mode = readModeFor(protection, payload);
    const id = shareId(mode, random);
    const others = rest.map((data) => ({ data }));
    const isApart = mode === 'apart';
    const head = {
      ...keys.share(id),
      ...(isApart ? defined({ parts: 1 + rest.length, maxViews, receiptHash }) : payload),
      createdAtMs,
      expiresAtMs,
      ...(accessProof === undefined ? undefined : proofAttributes(accessProof)),
      ...keys.timeToLive(receiptHash === undefined ? expiresAtMs : expiresAtMs + receiptKeptMs),
    };
    const parts = (isApart ? [payload, ...others] : others).map((part, i) => ({
      ...keys.sharePart(id, i + 1),
      ...part,
      ...keys.timeToLive(expiresAtMs),
    }));
    if (parts.length === 0) await putItem(head, { ...ifAbsent, guard: { once: 'pk' } });
    else await transactWrite([head, ...parts].map((item) => ({ Put: { Item: item, ...ifAbsent } })));
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
    const mode = readModeOf(id);
    if (mode === undefined) return undefined;
    return mode === 'once' ? claimAndRead(id, opening) : readAndClaim(id, mode, opening);
  },
};

/**
 * Opens a one-time share of one item in two round trips: the claim, whose response has the payload, and its removal. The
 * condition of the claim refuses absent, expired and consumed shares alike, and the refusal returns no item.
 *
 * Its bytes are counted beside the claim and beside the removal. A share that was claimed is handed out whatever the counts
 * say: it is handed out once, so the limit of creations bounds these bytes. They keep the next request of the caller from
 * passing.
 */
async function claimAndRead(id: string, { nowMs, claim, bytes }: Opening): Promise<Share | undefined> {
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
  const head = claimed.item as Head & Payload;
  const removal = updateItem(keys.share(id), {
    ConditionExpression: 'claim = :claim',
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
 * Opens any other share: reads it, claims the view if its views are limited, and removes the payload after the last one. The claim comes
 * after all reads and counts, so that a reader who fails or is refused before it uses up nothing, and whoever has claimed has the payload,
 * also when a later view removes it.
 */
async function readAndClaim(id: string, mode: ReadMode, opening: Opening): Promise<Share | undefined> {
  const stored = await readStored(id, mode, opening);
  if (stored === undefined) return undefined;
  const { head, payload, parts } = stored;
  const claimed = await claimOf(id, mode, head, opening);
  if (claimed === 'refused') return undefined;
  if (claimed === 'last') await settleRemovals(removeParts(id, { from: 1, count: head.parts }));
  return toShare(payload, head, parts);
}

/** Claims a view. `last`: there is no other one. `free`: there are views without end. */
async function claimOf(
  id: string,
  mode: ReadMode,
  head: Head,
  opening: Opening,
): Promise<'refused' | 'last' | 'free'> {
  if (mode === 'onceInParts' || mode === 'onceWithProof')
    return (await claimOnce(id, head, opening)) ? 'last' : 'refused';
  if (head.maxViews === undefined) return 'free';
  const views = await claimView(id, opening);
  if (views === undefined) return 'refused';
  return views < head.maxViews ? 'free' : 'last';
}

/** Claims a share whose head has the payload, and removes that of the head. The condition compares the share proof once more. */
async function claimOnce(
  id: string,
  { accessProof }: Head,
  { nowMs, claim, proofHash }: Opening,
): Promise<boolean> {
  const { ExpressionAttributeValues, ConditionExpression } = claimCondition(nowMs, claim);
  const proven = accessProof === undefined ? undefined : { ':proof': proofHash };
  const claimed = await updateItem(keys.share(id), {
    ConditionExpression: proven ? `${ConditionExpression} AND accessProof = :proof` : ConditionExpression,
    ExpressionAttributeValues: { ...ExpressionAttributeValues, ...proven },
    UpdateExpression: `SET claim = :claim ${removePayload}`,
    guard: { harmless: 'a claim is never replaced by another' },
  });
  return claimed.done;
}

/**
 * Claims one view, in one conditional write: of any number of concurrent readers no more succeed than there are views. Views
 * are the elements of a set, so that a claim that is sent again finds itself and is not counted twice, also after a burn.
 *
 * @returns how often the share was opened; undefined when no view is left, or the share was burned.
 */
async function claimView(id: string, { nowMs, claim, proofHash }: Opening): Promise<number | undefined> {
  const view = viewText(claim, nowMs);
  const hasProof =
    proofHash === undefined
      ? 'attribute_not_exists(accessProof)'
      : '(attribute_not_exists(accessProof) OR accessProof = :proof)';
  const isOpen = `expiresAtMs > :now AND attribute_not_exists(burnedAtMs) AND ${viewsLeft} AND ${hasProof}`;
  const claimed = await updateItem(
    keys.share(id),
    {
      ConditionExpression: `${exists} AND (contains(claims, :view) OR (${isOpen}))`,
      UpdateExpression: 'ADD claims :views',
      ExpressionAttributeValues: defined({
        ':view': view,
        ':views': new Set([view]),
        ':now': nowMs,
        ':proof': proofHash,
      }),
      guard: { harmless: 'a claim is in the set once' },
    },
    'NONE',
  );
  return claimed.done ? (claimed.item as Head).claims?.size : undefined;
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

interface StoredShare {
  readonly head: Head;
  readonly payload: Payload;
  readonly parts: Part[];
}

/**
 * Reads a share without using it up, in one round trip, or two when it is in several parts: the head, beside a payload that is apart from it;
 * further parts. Undefined when it is unknown, used up, burned, expired, or being removed.
 *
 * The counts of each request stand beside the head, and the others beside the parts. The rest of a share without parts is
 * counted with the caller's next request, because a further round trip would double the time of this one.
 */
async function readStored(id: string, mode: ReadMode, opening: Opening): Promise<StoredShare | undefined> {
  const { bytes } = opening;
  const isApart = mode === 'apart';
  const [head, firstPart] = await Promise.all([
    headForOpening(id, opening, isApart || mode === 'onceWithProof'),
    isApart ? getItem(keys.sharePart(id, 1)) : undefined,
    bytes.add(minCountedBytes),
  ]);
  const payload = (isApart ? firstPart : head) as Payload | undefined;
  // Without its payload: a concurrent reader used the share up, or its creator burned it.
  if (head === undefined || payload === undefined) return undefined;
  const from = isApart ? 2 : 1;
  const parts = await readParts(id, payload, { from, count: head.parts + 1 - from }, bytes);
  return parts && { head, payload, parts };
}
