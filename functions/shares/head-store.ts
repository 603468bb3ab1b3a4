import { ApiError } from '../shared/contract/errors.ts';
import * as keys from '../shared/contract/keys.ts';
import { hourMs } from '../shared/runtime/clock.ts';
import { isEqualInConstantTime } from '../shared/runtime/constant-time.ts';
import { refusal } from '../shared/table/sliding-window.ts';
import { exists, getItem, type Item, updateItem } from '../shared/table/table.ts';
import type { Opening } from './payload-store.ts';
import { shareLimits } from './share.ts';

/** The attributes of a head by which only callers with the share proof open the share. */
export interface ProofAttributes {
  accessProof: string;
  /** The count of a try as a wrong one, by the hash of its proof: 0 for the right one. */
  countsAs: Readonly<Record<string, 0>>;
  /** The number of wrong proofs by hour of UTC, counted from the epoch. */
  wrongProofs: Readonly<Record<string, number>>;
}

/**
 * The first item of a share. It has the payload as well, or that is apart from it, in parts from 1: then a claim and a wrong proof cost little,
 * and a receipt outlives the payload.
 *
 * The head of a one-time share outlives its opening: without its payload, as a tombstone, it stays until the share expires, so that a write
 * of the share that arrives late meets it.
 */
export interface Head extends Item, Partial<ProofAttributes> {
  createdAtMs: number;
  expiresAtMs: number;
  /** The number of further items that hold the payload. */
  parts: number;
  /** The claim of a one-time share whose head has the payload. */
  claim?: string;
  /** Each view of a share with limited views: the claim of its request, and its time. */
  claims?: Set<string>;
  /** Absent without a limit. */
  maxViews?: number;
  receiptHash?: string;
  burnedAtMs?: number;
}

export const viewText = (claim: string, nowMs: number) => `${claim}@${nowMs}`;
export const viewedAtMs = (view: string) => Number(view.slice(view.indexOf('@') + 1));

export function proofAttributes(accessProof: string): ProofAttributes {
  return { accessProof, countsAs: { [accessProof]: 0 }, wrongProofs: {} };
}

/** The condition that a share has views left, as {@link canOpen} for the table. */
export const viewsLeft =
  '(attribute_not_exists(claims) OR attribute_not_exists(maxViews) OR size(claims) < maxViews)';

function canOpen(
  { expiresAtMs, claim, claims, maxViews = Number.POSITIVE_INFINITY, burnedAtMs }: Head,
  nowMs: number,
): boolean {
  return (
    nowMs < expiresAtMs && claim === undefined && burnedAtMs === undefined && (claims?.size ?? 0) < maxViews
  );
}

/**
 * The head of a share that this request may open; undefined when the share is unknown, expired, used up or burned. One round
 * trip.
 *
 * A request with a proof is one write, whose response is the head: it counts the proof if it is wrong, on the condition that
 * the limit of the hour is not reached. The item itself says what a try counts, by the name of its proof: 0 for the right
 * one, and without an entry 1. So wrong proofs are counted before they are compared, and of any number of concurrent ones
 * no more are compared than the limit allows.
 *
 * When the SDK sends the write again because its response was lost, a wrong proof counts twice: the limit is never too
 * lenient.
 *
 * @param canHaveProof false for a share that ignores a proof: a try would cost as much as its head.
 * @throws ApiError `share_proof_wrong`, or `share_limited` after too many wrong proofs in the hour.
 */
export async function headForOpening(
  id: string,
  { nowMs, proofHash }: Opening,
  canHaveProof: boolean,
): Promise<Head | undefined> {
  if (proofHash === undefined || !canHaveProof) {
    const head = (await getItem(keys.share(id))) as Head | undefined;
    if (head === undefined || !canOpen(head, nowMs)) return undefined;
    if (head.accessProof !== undefined) throw new ApiError('share_proof_wrong');
    return head;
  }
  const tried = await updateItem(keys.share(id), {
    ConditionExpression: [
      `${exists} AND attribute_exists(accessProof) AND expiresAtMs > :now`,
      `attribute_not_exists(claim) AND attribute_not_exists(burnedAtMs) AND ${viewsLeft}`,
      '(attribute_not_exists(wrongProofs.#hour) OR wrongProofs.#hour < :max)',
    ].join(' AND '),
    UpdateExpression:
      'SET wrongProofs.#hour = if_not_exists(wrongProofs.#hour, :none) + if_not_exists(countsAs.#proof, :one)',
    ExpressionAttributeNames: { '#hour': hourOf(nowMs), '#proof': proofHash },
    ExpressionAttributeValues: {
      ':now': nowMs,
      ':max': shareLimits.wrongProofsPerHour,
      ':none': 0,
      ':one': 1,
    },
    guard: { harmless: 'counts a wrong proof once more, in the hour of the first copy' },
  });
  if (tried.done) {
    const head = tried.item as Head;
    if (head.accessProof === undefined || !isEqualInConstantTime(head.accessProof, proofHash))
      throw new ApiError('share_proof_wrong');
    return head;
  }
  const refused = tried.refused as Head | undefined;
  if (refused === undefined || !canOpen(refused, nowMs)) return undefined;
  // A share that needs no proof ignores one.
  if (refused.accessProof === undefined) return refused;
  throw new ApiError('share_limited', refusal({ windowMs: hourMs }, hourMs - (nowMs % hourMs)));
}

const hourOf = (nowMs: number) => String(Math.floor(nowMs / hourMs));
