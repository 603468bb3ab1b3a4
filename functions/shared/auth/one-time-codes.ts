/**
 * One-time codes of six digits, sent by e-mail.
 *
 * An address has one code per purpose, and the next code replaces it. Only a keyed hash is stored. A code
 * expires after five minutes by the handler's clock, is void after five wrong attempts, and is consumed in
 * the same transaction as the change that it authorizes.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { hourMs, minuteMs } from '../runtime/duration.ts';
import { updateNewest } from '../table/newest-update.ts';
import { nextAllowedAtMs, type Refusal, refusal, slidingWindowUpdate } from '../table/rate-limit.ts';
import { updateItem } from '../table/table.ts';
import { deploymentKey } from './deployment-key.ts';
import { type CodeSlot, codeKey } from './one-time-code-key.ts';

export const codeLifetimeMs = 5 * minuteMs;
const maxAttempts = 5;

/**
 * Limits the codes sent to one e-mail address, whatever the client address: the limit per client address
 * alone would let a thousand clients fill a mailbox. 90 is the largest log that one write unit covers.
 */
const sendLimit = { max: 90, windowMs: hourMs };

/**
 * Limits the attempts on one e-mail address, across its codes. With five attempts on each of 90 codes an
 * hour, an attacker with many client addresses would guess one code in a hundred days. With this limit it
 * takes a year, and thousands of mails that the owner notices. An expression is limited to 4 KB, which allows
 * a log of about 130.
 */
const attemptLimit = { max: 120, windowMs: hourMs };

/**
 * Stores a code in place of the previous one. The record keeps the id of a code that was used, so that a copy
 * of this write that arrives late cannot store the code again.
 *
 * @param codeId unique; identifies this code in later operations.
 * @returns the refusal when too many codes were sent to the address.
 */
export async function storeCode(
  slot: CodeSlot,
  { code, codeId }: { code: string; codeId: string },
  nowMs: number,
): Promise<Refusal | undefined> {
  const update = slidingWindowUpdate(sendLimit, nowMs);
  const hash = await codeHash(slot, codeId, code);
  const order = { timeAttribute: 'h0', idAttribute: 'codeId' };
  const outcome = await updateNewest(codeKey(slot), order, { nowMs, writeId: codeId }, (atMs) => ({
    ...update,
    UpdateExpression: `${update.UpdateExpression}, codeId=:codeId, codeHash=:hash, expiresAtMs=:expiresAt, attempts=:zero`,
    ExpressionAttributeValues: {
      ...update.ExpressionAttributeValues,
      ':now': atMs,
      ':codeId': codeId,
      ':hash': hash,
      ':expiresAt': nowMs + codeLifetimeMs,
      ':zero': 0,
    },
  }));
  if (outcome.done) return undefined;
  return refusal(sendLimit, (nextAllowedAtMs(sendLimit, outcome.refused) ?? nowMs) - nowMs);
}

/** Removes a code that could not be sent, unless another code has replaced it. */
export async function withdrawCode(slot: CodeSlot, codeId: string): Promise<void> {
  await updateItem(codeKey(slot), {
    UpdateExpression: 'REMOVE codeHash',
    ConditionExpression: 'codeId = :codeId AND attribute_exists(codeHash)',
    ExpressionAttributeValues: { ':codeId': codeId },
    guard: { once: 'codeHash' },
  });
}

/**
 * Counts an attempt, then compares the code.
 *
 * The count is a conditional write before the comparison, so that of any number of concurrent attempts at
 * most five are compared.
 *
 * @returns the id of the code for `codeConsumption` when it is correct; undefined when it is wrong, expired,
 * consumed, void or was never sent, or when there were too many attempts on the address.
 */
export async function verifyCode(slot: CodeSlot, code: string, nowMs: number): Promise<string | undefined> {
  const update = slidingWindowUpdate(attemptLimit, nowMs, 't');
  const outcome = await updateItem(codeKey(slot), {
    ...update,
    UpdateExpression: `${update.UpdateExpression}, attempts = attempts + :one`,
    ConditionExpression: `attribute_exists(codeHash) AND expiresAtMs > :now AND attempts < :max AND (${update.ConditionExpression})`,
    ExpressionAttributeValues: { ...update.ExpressionAttributeValues, ':one': 1, ':max': maxAttempts },
    guard: { harmless: 'counts one attempt more' },
  });
  if (!outcome.done) return undefined;
  const { codeId, codeHash: hash } = outcome.item as unknown as { codeId: string; codeHash: Uint8Array };
  return timingSafeEqual(await codeHash(slot, codeId, code), hash) ? codeId : undefined;
}

async function codeHash({ purpose, email }: CodeSlot, codeId: string, code: string): Promise<Buffer> {
  const key = await deploymentKey('codes');
  return createHmac('sha256', key)
    .update(JSON.stringify([purpose, email, codeId, code]))
    .digest();
}
