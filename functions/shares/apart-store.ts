import { defined } from '../shared/contract/defined.ts';
import * as keys from '../shared/contract/keys.ts';
import { timeToLive } from '../shared/contract/time-to-live.ts';
import { isEqualInConstantTime } from '../shared/runtime/constant-time.ts';
import { exists, getItem, type Item, transactWrite, updateItem } from '../shared/table/table.ts';
import {
  ifAbsent,
  type Opening,
  type Part,
  type Payload,
  packPayload,
  readParts,
  removeParts,
  settleRemovals,
  toShare,
} from './payload-store.ts';
import { headForOpening, type ProofAttributes, proofAttributes, viewsLeft } from './proof-store.ts';
import { type Protection, readModeOf, receiptKeptMs, type Share, type ShareRecord } from './share.ts';

/**
 * The head of a share whose payload is apart from it, in parts from 1. It stays small, so that a claim and a wrong proof cost
 * little, and a receipt outlives the payload.
 */
interface ApartHead extends Item, Partial<ProofAttributes> {
  /** The number of items that hold the payload. */
  parts: number;
  createdAtMs: number;
  expiresAtMs: number;
  /** Absent without a limit. */
  maxViews?: number;
  /** Each view: the claim of its request, and its time. */
  claims?: Set<string>;
  receiptHash?: string;
  burnedAtMs?: number;
}

/** Stores a share atomically in one round trip. The write creates and never replaces, as that of all shares. */
export async function putApart(id: string, share: Share, protection: Protection): Promise<void> {
  const { accessProof, maxViews, receiptHash } = protection;
  const { payload, rest } = packPayload(share);
  const { createdAtMs, expiresAtMs } = share;
  const headExpiresAtMs = receiptHash === undefined ? expiresAtMs : expiresAtMs + receiptKeptMs;
  const head: ApartHead = {
    ...keys.share(id),
    parts: 1 + rest.length,
    createdAtMs,
    expiresAtMs,
    ...defined({ maxViews, receiptHash }),
    ...(accessProof === undefined ? undefined : proofAttributes(accessProof)),
    ...timeToLive(headExpiresAtMs),
  };
  const ttl = timeToLive(expiresAtMs);
  const first = { ...keys.sharePart(id, 1), ...payload, ...ttl };
  const others = rest.map((data, i) => ({ ...keys.sharePart(id, i + 2), data, ...ttl }));
  await transactWrite([head, first, ...others].map((item) => ({ Put: { Item: item, ...ifAbsent } })));
}

/**
 * Opens a share whose payload is apart; undefined when it is unknown, used up, burned or expired.
 *
 * The round trips: the head, beside the first part; further parts; with limited views the claim; after the last view the
 * removal of the payload. The claim comes after all reads, so that a reader who fails or is refused before it uses up
 * nothing, and whoever has claimed has the payload, also when a later view removes it.
 *
 * @throws ApiError when the proof is wrong or limited, or the caller is over the limit of bytes.
 */
export async function openApart(id: string, opening: Opening, minBytes: number): Promise<Share | undefined> {
  const [item, firstPart] = await Promise.all([
    headForOpening(id, opening),
    getItem(keys.sharePart(id, 1)),
    opening.bytes.add(minBytes),
  ]);
  const head = item as ApartHead | undefined;
  const payload = firstPart as (Part & Payload) | undefined;
  // Without its first part: a concurrent reader used the share up, or its creator burned it.
  if (head === undefined || payload === undefined) return undefined;
  const parts = await readParts(id, payload, { from: 2, count: head.parts - 1 }, opening.bytes);
  if (parts === undefined) return undefined;
  if (head.maxViews !== undefined) {
    const claims = await claimView(id, opening);
    if (claims === undefined) return undefined;
    if (claims.size >= head.maxViews) await settleRemovals(removeParts(id, { from: 1, count: head.parts }));
  }
  return toShare(payload, head, parts);
}

/**
 * Claims one view, in one conditional write: of any number of concurrent readers no more succeed than there are views. Views
 * are the elements of a set, so that a claim that is sent again finds itself and is not counted twice, also after a burn.
 *
 * @returns the claims of all views; undefined when no view is left, or the share was burned.
 */
async function claimView(id: string, { nowMs, claim, proofHash }: Opening): Promise<Set<string> | undefined> {
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
  return claimed.done ? (claimed.item as ApartHead).claims : undefined;
}

const viewText = (claim: string, nowMs: number) => `${claim}@${nowMs}`;
const viewedAtMs = (view: string) => Number(view.slice(view.indexOf('@') + 1));

/** The record of a share with this receipt; undefined when the token is wrong, or the receipt has expired. One round trip. */
export async function readRecord(
  id: string,
  receiptHash: string,
  nowMs: number,
): Promise<ShareRecord | undefined> {
  if (readModeOf(id) !== 'apart') return undefined;
  return recordOf(await getItem(keys.share(id)), receiptHash, nowMs);
}

/**
 * Burns a share, and returns its record; undefined when the token is wrong, or the receipt has expired.
 *
 * One conditional update burns it: either that comes first or the last claim, so that no reader opens a burned share. Its
 * payload is deleted before this returns, also by a repeat, when the first request died in between.
 *
 * @throws the error of the SDK when the payload was not deleted. A repeat deletes it.
 */
export async function burnShare(
  id: string,
  receiptHash: string,
  nowMs: number,
): Promise<ShareRecord | undefined> {
  if (readModeOf(id) !== 'apart') return undefined;
  const burned = await updateItem(keys.share(id), {
    ConditionExpression: `${exists} AND receiptHash = :receipt AND expiresAtMs > :now AND attribute_not_exists(burnedAtMs) AND ${viewsLeft}`,
    UpdateExpression: 'SET burnedAtMs = :now',
    ExpressionAttributeValues: { ':receipt': receiptHash, ':now': nowMs },
    guard: { once: 'burnedAtMs' },
  });
  const item = burned.done ? burned.item : burned.refused;
  const record = recordOf(item, receiptHash, nowMs);
  if (record !== undefined) await Promise.all(removeParts(id, { from: 1, count: (item as ApartHead).parts }));
  return record;
}

function recordOf(item: Item | undefined, receiptHash: string, nowMs: number): ShareRecord | undefined {
  const head = item as ApartHead | undefined;
  if (head?.receiptHash === undefined || !isEqualInConstantTime(head.receiptHash, receiptHash))
    return undefined;
  const { createdAtMs, expiresAtMs, maxViews = 1, claims = new Set(), burnedAtMs } = head;
  if (nowMs >= expiresAtMs + receiptKeptMs) return undefined;
  const viewsAtMs = [...claims].map(viewedAtMs).sort((a, b) => a - b);
  return { createdAtMs, expiresAtMs, maxViews, viewsAtMs, burnedAtMs };
}
