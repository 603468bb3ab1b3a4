/**
 * One-time codes of six digits, sent by e-mail.
 *
 * An address has one code per purpose, and the next code replaces it. A browser session, and a device that shows what verified the
 * mailbox, has a code of its own instead, which nobody else can replace or void. Only a keyed hash is stored. A code
 * expires after five minutes by the handler's clock, is void after five wrong attempts, and is consumed in
 * the same transaction as the change that it authorizes. How many codes a mailbox gets and how many tries a caller
 * has is bounded (`code-caps.ts`, `code-tries.ts`).
 */

import { createHmac, timingSafeEqual } from 'node:crypto';
import { defined } from '../../contract/defined.ts';
import { ApiError } from '../../contract/errors.ts';
import * as keys from '../../contract/keys.ts';
import { minuteMs } from '../../runtime/clock.ts';
import { retryOnConflict } from '../../table/optimistic-retry.ts';
import { recordReader } from '../../table/record.ts';
import type { Refusal } from '../../table/sliding-window.ts';
import { transactWrite, updateItem, type Write } from '../../table/table.ts';
import { deploymentKey } from '../deployment-key.ts';
import { type CodeLog, codeCaps, countCode } from './code-caps.ts';
import { countTry, peekTries } from './code-tries.ts';
import {
  blockSource,
  type Mailbox,
  type MailboxSources,
  type Requester,
  readMailbox,
  readSources,
  rememberSources,
  type Standing,
  standingOf,
} from './mailbox-store.ts';
import { type CodeSlot, codeKey, type RightCode } from './one-time-code.ts';

export const codeLifetimeMs = 5 * minuteMs;
const maxAttempts = 5;
/**
 * Of these, the attempts that other blocks have than the one that asked for the code, where it has no holder: a stranger cannot
 * void it, because three remain for the block that asked.
 */
const maxAttemptsOfOthers = 2;

/**
 * Stores a code in place of the previous one, and counts it, in one transaction. A refused code changes nothing.
 *
 * The log of the mailbox has a revision, to which the transaction is bound: of concurrent requests each counts, and a
 * copy of the transaction that arrives late stores no code again.
 *
 * @param slot with a holder, or for whoever the requester turns out to be.
 * @param codeId unique; identifies this code in later operations.
 * @param mailbox the mailbox of the address as it concerns the requester, when it was read already.
 * @returns where the code is; or the refusal when the mailbox has got too many codes.
 */
export async function storeCode(
  slot: CodeSlot,
  { code, codeId }: { code: string; codeId: string },
  requester: Requester,
  nowMs: number,
  mailbox?: Mailbox,
): Promise<CodeSlot | Refusal> {
  let known = mailbox;
  return retryOnConflict(async () => {
    const current = known ?? (await readMailbox(slot.email, requester));
    known = undefined;
    const { source, block, isVerified } = await standingOf(current, requester, nowMs);
    const log = countCode(current.log, { by: source ?? block, isVerified }, nowMs);
    if ('allowed' in log) return log;
    const { purpose, email, holder = source } = slot;
    const own = { purpose, email, ...defined({ holder }) };
    const stored = {
      ...codeKey(own),
      codeId,
      codeHash: await codeHash(own, codeId, code),
      expiresAtMs: nowMs + codeLifetimeMs,
      ...keys.timeToLive(nowMs + codeLifetimeMs),
      ...defined({ askedFrom: holder === undefined ? block : undefined }),
    };
    return (await transactWrite([logWrite(current, log, nowMs), { Put: { Item: stored } }]))
      ? own
      : undefined;
  }).catch((error: unknown) => {
    // Neither the vault's errors nor a page has a conflict: it is a failure of the service.
    if (error instanceof ApiError) throw new Error('The mailbox changed during each attempt to store a code');
    throw error;
  });
}

/** The write of a mailbox's log, on the condition that nobody else has written it. */
function logWrite({ name, log: { revision } }: Mailbox, log: CodeLog, nowMs: number): Write {
  const { strangers, verified } = log;
  return {
    Put: {
      Item: {
        ...keys.mailboxCodes(name),
        strangers,
        verified,
        revision: revision + 1,
        ...keys.timeToLive(nowMs + codeCaps.windowMs),
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

export interface Attempt {
  requester: Requester;
  mailbox: MailboxSources;
  standing: Standing;
}

/**
 * Who tries a code for an address, in one round trip.
 *
 * @returns the refusal of an address block without tries: its caller shows nothing that verified the mailbox.
 */
export async function readAttempt(
  email: string,
  requester: Requester,
  nowMs: number,
): Promise<Attempt | Refusal> {
  const [verdict, mailbox] = await Promise.all([
    peekTries(requester.block, nowMs),
    readSources(email, requester),
  ]);
  const standing = await standingOf(mailbox, requester, nowMs);
  return verdict.allowed || standing.source !== undefined ? { requester, mailbox, standing } : verdict;
}

/** `limited`: the caller has too many wrong tries, whatever the code. */
export type CodeCheck =
  | { result: 'right'; code: RightCode }
  | { result: 'wrong' }
  | { result: 'limited'; refusal: Refusal };

/**
 * Counts an attempt, then compares the code.
 *
 * The counts of the code and of the caller are conditional writes before the comparison, so that of any number of
 * concurrent attempts at most five are compared for a code, and at most 30 an hour for a caller. A caller whose source has a
 * code of its own tries that one, and the one of the address.
 *
 * @param tryId random characters that no other try has.
 * @param sources what a right code verifies the mailbox for, beside the address block.
 * @returns `wrong` also when the code is expired, consumed, void or was never sent.
 */
export async function verifyCode(
  slot: CodeSlot,
  code: string,
  {
    requester,
    mailbox,
    standing,
    tryId,
    sources = [],
  }: Attempt & { tryId: string; sources?: readonly (string | undefined)[] },
  nowMs: number,
): Promise<CodeCheck> {
  const { source, block, link } = standing;
  const own = slot.holder === undefined && source !== undefined ? [{ ...slot, holder: source }] : [];
  const [counted, remembered, ...ids] = await Promise.all([
    countTry(source === undefined ? requester.block : `${mailbox.name} ${source}`, tryId, nowMs),
    rememberSources(mailbox, standing, [blockSource(requester), ...sources], nowMs),
    ...[...own, slot].map((one) => rightCodeId(one, code, { block, tryId }, nowMs)),
  ]);
  if ('allowed' in counted) return { result: 'limited', refusal: counted };
  const right = [...own, slot].map((one, n) => ({ slot: one, codeId: ids[n] })).find(({ codeId }) => codeId);
  if (right?.codeId === undefined) return { result: 'wrong' };
  return { result: 'right', code: { slot: right.slot, codeId: right.codeId, counted, remembered, link } };
}

/**
 * Counts an attempt at a code, and compares it. The names of the attempts are a set: a write that is sent again counts once.
 *
 * @returns the id of the code when it is right.
 */
async function rightCodeId(
  slot: CodeSlot,
  code: string,
  { block, tryId }: { block: string; tryId: string },
  nowMs: number,
): Promise<string | undefined> {
  const outcome = await updateItem(codeKey(slot), {
    UpdateExpression: 'ADD tries :tries',
    ConditionExpression: `attribute_exists(codeHash) AND expiresAtMs > :now AND (${[
      'attribute_not_exists(tries) OR contains(tries, :try) OR size(tries) < :maxOfOthers',
      '(size(tries) < :max AND (attribute_not_exists(askedFrom) OR askedFrom = :block))',
    ].join(' OR ')})`,
    ExpressionAttributeValues: {
      ':tries': new Set([tryId]),
      ':try': tryId,
      ':now': nowMs,
      ':max': maxAttempts,
      ':block': block,
      ':maxOfOthers': maxAttemptsOfOthers,
    },
    guard: { harmless: 'counts an attempt under its name, once' },
  });
  if (!outcome.done) return undefined;
  const { codeId, codeHash: hash } = readHashedCode(outcome.item);
  return timingSafeEqual(await codeHash(slot, codeId, code), hash) ? codeId : undefined;
}

const readHashedCode = recordReader<{ codeId: string; codeHash: Uint8Array }>(['codeId', 'codeHash']);

async function codeHash({ purpose, email, holder }: CodeSlot, codeId: string, code: string): Promise<Buffer> {
  const key = await deploymentKey('codes');
  return createHmac('sha256', key)
    .update(JSON.stringify([purpose, email, codeId, code, ...(holder === undefined ? [] : [holder])]))
    .digest();
}
