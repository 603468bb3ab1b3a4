/**
 * One-time codes of six digits, sent by e-mail.
 *
 * An address has one code per purpose, and the next code replaces it. Only a keyed hash is stored. A code
 * expires after five minutes by the handler's clock, is void after five wrong attempts, and is consumed in
 * the same transaction as the change that it authorizes. How many codes a mailbox gets and how many tries an address
 * block has is bounded (`code-caps.ts`, `code-tries.ts`).
 */

import { createHmac, timingSafeEqual } from 'node:crypto';
import { defined } from '../contract/defined.ts';
import { ApiError } from '../contract/errors.ts';
import { keys } from '../contract/keys.ts';
import { timeToLive } from '../contract/time-to-live.ts';
import { mailboxOf } from '../fields/mailbox.ts';
import { minuteMs } from '../runtime/duration.ts';
import { retryOnConflict } from '../table/optimistic-retry.ts';
import type { Refusal } from '../table/rate-limit.ts';
import { transactWrite, updateItem, type Write } from '../table/table.ts';
import { type CodeLog, codeCaps, countCode } from './code-caps.ts';
import { countTry } from './code-tries.ts';
import { deploymentKey } from './deployment-key.ts';
import {
  type Mailbox,
  type Requester,
  readMailbox,
  rememberVerifiedSources,
  sourceHash,
  verifiedHashes,
} from './mailbox-store.ts';
import { type CodeSlot, codeKey, type RightCode } from './one-time-code.ts';

export const codeLifetimeMs = 5 * minuteMs;
const maxAttempts = 5;
/**
 * Of these, the attempts that other blocks have on a code that a verified requester asked for: a stranger cannot void
 * it, because three remain for the block that asked.
 */
const maxAttemptsOfOthers = 2;

/**
 * Stores a code in place of the previous one, and counts it, in one transaction. A refused code changes nothing.
 *
 * The log of the mailbox has a revision, to which the transaction is bound: of concurrent requests each counts, and a
 * copy of the transaction that arrives late stores no code again.
 *
 * @param codeId unique; identifies this code in later operations.
 * @param mailbox the mailbox of the address, when it was read already.
 * @returns the refusal when the mailbox has got too many codes.
 */
export async function storeCode(
  slot: CodeSlot,
  { code, codeId }: { code: string; codeId: string },
  requester: Requester,
  nowMs: number,
  mailbox?: Mailbox,
): Promise<Refusal | undefined> {
  const [hash, block] = await Promise.all([
    codeHash(slot, codeId, code),
    sourceHash(mailboxOf(slot.email), `block:${requester.block}`),
  ]);
  let known = mailbox;
  return (
    await retryOnConflict(async () => {
      const current = known ?? (await readMailbox(slot.email));
      known = undefined;
      const verified = await verifiedHashes(current, requester, nowMs);
      const isVerified = verified.length > 0;
      // A device counts by itself: a stranger behind the same address does not use up what it has.
      const by = verified.find((one) => one !== block) ?? block;
      const log = countCode(current.log, { by, isVerified }, nowMs);
      if ('allowed' in log) return { refused: log };
      const stored = {
        ...codeKey(slot),
        codeId,
        codeHash: hash,
        attempts: 0,
        expiresAtMs: nowMs + codeLifetimeMs,
        ...timeToLive(nowMs + codeLifetimeMs),
        ...defined({ verifiedBlock: isVerified ? block : undefined }),
      };
      const isStored = await transactWrite([logWrite(current, log, nowMs), { Put: { Item: stored } }]);
      return isStored ? { refused: undefined } : undefined;
    }).catch((error: unknown) => {
      // Neither the vault's errors nor a page has a conflict: it is a failure of the service.
      if (error instanceof ApiError)
        throw new Error('The mailbox changed during each attempt to store a code');
      throw error;
    })
  ).refused;
}

/** The write of a mailbox's log, on the condition that nobody else has written it. */
function logWrite({ name, log: { revision } }: Mailbox, log: CodeLog, nowMs: number): Write {
  const { strangers, reserve } = log;
  return {
    Put: {
      Item: {
        ...keys.mailboxCodes(name),
        strangers,
        reserve,
        revision: revision + 1,
        ...timeToLive(nowMs + codeCaps.windowMs),
      },
      ...(revision === 0 ? notWritten : writtenAs(revision)),
    },
  };
}

const notWritten = { ConditionExpression: 'attribute_not_exists(revision)' };
const writtenAs = (revision: number) => ({
  ConditionExpression: 'revision = :revision',
  ExpressionAttributeValues: { ':revision': revision },
});

/** Removes a code that could not be sent, unless another code has replaced it. */
export async function withdrawCode(slot: CodeSlot, codeId: string): Promise<void> {
  await updateItem(codeKey(slot), {
    UpdateExpression: 'REMOVE codeHash',
    ConditionExpression: 'codeId = :codeId AND attribute_exists(codeHash)',
    ExpressionAttributeValues: { ':codeId': codeId },
    guard: { once: 'codeHash' },
  });
}

/** `limited`: the address block has too many wrong tries, whatever the code. */
export type CodeCheck =
  | { result: 'right'; code: RightCode }
  | { result: 'wrong' }
  | { result: 'limited'; refusal: Refusal };

/**
 * Counts an attempt, then compares the code.
 *
 * The counts of the code and of the address block are conditional writes before the comparison, so that of any number of
 * concurrent attempts at most five are compared for a code, and at most 30 an hour for a block.
 *
 * @param requester what a right code verifies the mailbox for.
 * @param tryId random characters that no other try has.
 * @returns `wrong` also when the code is expired, consumed, void or was never sent.
 */
export async function verifyCode(
  slot: CodeSlot,
  code: string,
  { requester, tryId }: { requester: Requester; tryId: string },
  nowMs: number,
): Promise<CodeCheck> {
  const block = await sourceHash(mailboxOf(slot.email), `block:${requester.block}`);
  const [counted, outcome, remembered] = await Promise.all([
    countTry(requester.block, tryId, nowMs),
    updateItem(codeKey(slot), {
      UpdateExpression: 'SET attempts = attempts + :one',
      ConditionExpression: [
        'attribute_exists(codeHash) AND expiresAtMs > :now AND attempts < :max',
        '(attribute_not_exists(verifiedBlock) OR verifiedBlock = :block OR attempts < :maxOfOthers)',
      ].join(' AND '),
      ExpressionAttributeValues: {
        ':one': 1,
        ':now': nowMs,
        ':max': maxAttempts,
        ':block': block,
        ':maxOfOthers': maxAttemptsOfOthers,
      },
      guard: { harmless: 'counts one attempt more' },
    }),
    rememberVerifiedSources(slot.email, requester, nowMs),
  ]);
  if ('allowed' in counted) return { result: 'limited', refusal: counted };
  if (!outcome.done) return { result: 'wrong' };
  const { codeId, codeHash: hash } = outcome.item as unknown as { codeId: string; codeHash: Uint8Array };
  if (!timingSafeEqual(await codeHash(slot, codeId, code), hash)) return { result: 'wrong' };
  return { result: 'right', code: { slot, codeId, counted, remembered } };
}

async function codeHash({ purpose, email }: CodeSlot, codeId: string, code: string): Promise<Buffer> {
  const key = await deploymentKey('codes');
  return createHmac('sha256', key)
    .update(JSON.stringify([purpose, email, codeId, code]))
    .digest();
}
