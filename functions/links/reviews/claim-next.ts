import type { Operator } from '../../shared/contract/operator-scopes.ts';
import { reviewStore } from '../trust-links/review-store.ts';
import { type Claim, claimStore } from './claim-store.ts';

/** Links that are read at once, and how often: beyond them, the queue is shown. */
const pageSize = 25;
const maxPages = 4;

export const isTaken = (claim: Claim | undefined, { keyId }: Operator): boolean =>
  claim !== undefined && claim.keyId !== keyId;

export interface NextLink {
  /** The position of the queue after which it begins; undefined for its start. */
  after?: string | undefined;
  /** The link that was just decided: the index of the queue may have it still. */
  except?: string | undefined;
}

/**
 * Claims the most urgent link after a position that nobody else has; when there is none, the most urgent of all. Of two people
 * who ask at once, each gets a different link, because a claim is one conditional write.
 *
 * @returns the id of the link; undefined when every link is taken, or none waits.
 */
export async function claimNext(
  operator: Operator,
  nowMs: number,
  { after, except }: NextLink = {},
): Promise<string | undefined> {
  const next = await claimAfter(operator, nowMs, { after, except });
  return next !== undefined || after === undefined ? next : claimAfter(operator, nowMs, { except });
}

async function claimAfter(
  operator: Operator,
  nowMs: number,
  { after, except }: NextLink,
): Promise<string | undefined> {
  let startAfter = after;
  for (let n = 0; n < maxPages; n += 1) {
    const pending = await reviewStore.listPending(startAfter, pageSize);
    const ids = pending.map(({ linkId }) => linkId);
    const claims = await claimStore.list(ids, nowMs);
    const free = ids.filter((linkId) => linkId !== except && !isTaken(claims.get(linkId), operator));
    for (const linkId of free)
      if (!isTaken(await claimStore.claim(linkId, operator, nowMs), operator)) return linkId;
    if (pending.length < pageSize) return undefined;
    startAfter = pending.at(-1)?.queuePosition;
  }
  return undefined;
}
