import * as keys from '../../shared/contract/keys.ts';
import type { Operator } from '../../shared/contract/operator-scopes.ts';
import { minuteMs } from '../../shared/runtime/clock.ts';
import { recordReader } from '../../shared/table/record.ts';
import { batchGetItems, updateItem } from '../../shared/table/table.ts';

/** A claim ends by itself after this time. Opening the link again prolongs it. */
const claimMs = 10 * minuteMs;

/** The person who reads a link, and the end of their claim in epoch milliseconds. */
export interface Claim {
  /** The id of the link. The attribute of another name would put the claim into the index `byLink`. */
  claimedId: string;
  keyId: string;
  name: string;
  untilMs: number;
}

const readClaim = recordReader<Claim>(['claimedId', 'keyId', 'name', 'untilMs']);

/** A claim is free for a person when there is none, when it has ended, or when it is theirs. */
const isFree = 'attribute_not_exists(pk) OR untilMs <= :now OR keyId = :own';

/** The claims of reviewers, in the table. A claim belongs to an operator key: all sessions of the key share it. */
export const claimStore = {
  /** The claims that have not ended, by the id of the link. At most 100 links. */
  async list(linkIds: readonly string[], nowMs: number): Promise<Map<string, Claim>> {
    const claims = (await batchGetItems(linkIds.map(keys.reviewClaim))).map(readClaim);
    return new Map(claims.filter(({ untilMs }) => untilMs > nowMs).map((claim) => [claim.claimedId, claim]));
  },

  /**
   * Claims a link for ten minutes, in one conditional write.
   *
   * @param from the id of the operator key whose claim is taken over.
   * @returns the claim that is in force: of this person, or of the one who has the link.
   */
  async claim(
    linkId: string,
    { keyId, name }: Operator,
    nowMs: number,
    from: string = keyId,
  ): Promise<Claim> {
    const untilMs = nowMs + claimMs;
    const result = await updateItem(keys.reviewClaim(linkId), {
      UpdateExpression: 'SET claimedId = :link, keyId = :own, #name = :name, untilMs = :until, #ttl = :ttl',
      ConditionExpression: `${isFree} OR keyId = :from`,
      ExpressionAttributeValues: {
        ':link': linkId,
        ':own': keyId,
        ':from': from,
        ':name': name,
        ':now': nowMs,
        ':until': untilMs,
        ':ttl': keys.expirySeconds(untilMs),
      },
      guard: { harmless: 'a copy claims for the same person, until ten minutes after the request' },
    });
    const item = result.done ? result.item : result.refused;
    if (item === undefined) throw new Error(`Nothing holds the claim that was refused, of ${linkId}`);
    return readClaim(item);
  },
};

/** The end of a claim, in the transaction of a decision. It fails the decision while another person has the link. */
export const claimEnd = (linkId: string, { keyId }: Operator, nowMs: number) => ({
  Delete: {
    Key: keys.reviewClaim(linkId),
    ConditionExpression: isFree,
    ExpressionAttributeValues: { ':now': nowMs, ':own': keyId },
  },
});
