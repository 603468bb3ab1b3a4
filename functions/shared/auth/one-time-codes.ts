/**
 * Six-digit codes by e-mail.
 *
 * An address has one code for a purpose: the next overwrites it. It is kept as a keyed hash only, lives five
 * minutes by the handler's own clock, dies with the fifth wrong try, and is consumed in the transaction of what
 * it allows.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { nextAllowedAtMs, type Refusal, refusal, slidingWindowUpdate } from '../table/rate-limit.ts';
import { updateItem } from '../table/table.ts';
import { deploymentKey } from './deployment-key.ts';
import { type CodeSlot, codeKey } from './one-time-code-key.ts';

export const codeLivesMs = 300_000;
const maxTries = 5;

/**
 * Codes that one address is sent at most, wherever the requests come from: the limit by client address alone would
 * let a thousand of them fill a mailbox. As many hits as one write unit counts.
 */
const sendLimit = { max: 90, windowMs: 3_600_000 };

/**
 * Tries that one address has, over all its codes: with five for each of ninety a stranger with many client addresses
 * would have one in a hundred days; so it takes him a year, and thousands of mails that the owner sees. An expression holds
 * 4 KB, which is a log of some 130.
 */
const tryLimit = { max: 120, windowMs: 3_600_000 };

/**
 * Stores a code in place of the one before.
 *
 * @param codeId unique to this code: what comes later names the code it means by it.
 * @returns the refusal when the address was sent too many.
 */
export async function storeCode(
  slot: CodeSlot,
  { code, codeId }: { code: string; codeId: string },
  nowMs: number,
): Promise<Refusal | undefined> {
  const counted = slidingWindowUpdate(sendLimit, nowMs);
  const outcome = await updateItem(codeKey(slot), {
    ...counted,
    UpdateExpression: `${counted.UpdateExpression}, codeId=:codeId, codeHash=:hash, expiresAtMs=:expiresAt, tries=:none`,
    ExpressionAttributeValues: {
      ...counted.ExpressionAttributeValues,
      ':codeId': codeId,
      ':hash': await hashOf(slot, codeId, code),
      ':expiresAt': nowMs + codeLivesMs,
      ':none': 0,
    },
  });
  if (outcome.done) return undefined;
  return refusal(sendLimit, (nextAllowedAtMs(sendLimit, outcome.refused) ?? nowMs) - nowMs);
}

/** Removes a code that could not be sent, unless another took its place meanwhile. */
export async function withdrawCode(slot: CodeSlot, codeId: string): Promise<void> {
  await updateItem(codeKey(slot), {
    UpdateExpression: 'REMOVE codeId, codeHash',
    ConditionExpression: 'codeId = :codeId',
    ExpressionAttributeValues: { ':codeId': codeId },
  });
}

/**
 * Counts a try, then compares.
 *
 * The count is a conditional write before the comparison, so that of any number of tries at once five are
 * compared and no more.
 *
 * @returns the id of the code when it is right, for `consumption`; undefined when it is wrong, expired,
 * consumed, dead, was never sent, or the address had too many tries.
 */
export async function tryCode(slot: CodeSlot, code: string, nowMs: number): Promise<string | undefined> {
  const counted = slidingWindowUpdate(tryLimit, nowMs, 't');
  const outcome = await updateItem(codeKey(slot), {
    ...counted,
    UpdateExpression: `${counted.UpdateExpression}, tries = tries + :one`,
    ConditionExpression: `attribute_exists(codeHash) AND expiresAtMs > :now AND tries < :max AND (${counted.ConditionExpression})`,
    ExpressionAttributeValues: { ...counted.ExpressionAttributeValues, ':one': 1, ':max': maxTries },
  });
  if (!outcome.done) return undefined;
  const { codeId, codeHash } = outcome.item as unknown as { codeId: string; codeHash: Uint8Array };
  return timingSafeEqual(await hashOf(slot, codeId, code), codeHash) ? codeId : undefined;
}

async function hashOf({ purpose, email }: CodeSlot, codeId: string, code: string): Promise<Buffer> {
  const key = await deploymentKey('codes');
  return createHmac('sha256', key)
    .update(JSON.stringify([purpose, email, codeId, code]))
    .digest();
}
