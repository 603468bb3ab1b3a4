import { randomBytes } from 'node:crypto';
import { type Requester, requesterOf } from '../../../functions/shared/auth/codes/mailbox-store.ts';
import type { CodeSlot, RightCode } from '../../../functions/shared/auth/codes/one-time-code.ts';
import {
  type CodeCheck,
  readAttempt,
  storeCode,
  verifyCode,
} from '../../../functions/shared/auth/codes/one-time-codes.ts';
import type { Refusal } from '../../../functions/shared/table/sliding-window.ts';
import { freshAddress } from '../call.ts';

/** A requester at an address that no other test uses. */
export const freshRequester = (): Requester => requesterOf(freshAddress());

/** Stores a code for a requester, which is a stranger by default. */
export const store = (
  slot: CodeSlot,
  code: { code: string; codeId: string },
  nowMs: number,
  requester = freshRequester(),
): Promise<CodeSlot | Refusal> => storeCode(slot, code, requester, nowMs);

/** Tries a code. */
export async function tryCode(
  slot: CodeSlot,
  code: string,
  nowMs: number,
  requester = freshRequester(),
): Promise<CodeCheck> {
  const attempt = await readAttempt(slot.email, requester, nowMs);
  if ('allowed' in attempt) return { result: 'limited', refusal: attempt };
  const tryId = randomBytes(16).toString('base64url');
  return verifyCode(slot, code, Object.assign({ tryId }, attempt), nowMs);
}

/** Tries a code. Resolves to it when it is right, undefined otherwise. */
export async function rightCode(...tried: Parameters<typeof tryCode>): Promise<RightCode | undefined> {
  const check = await tryCode(...tried);
  return check.result === 'right' ? check.code : undefined;
}

/** Tries a code. Resolves to its id when it is right, undefined otherwise. */
export const verifiedId = async (...tried: Parameters<typeof tryCode>): Promise<string | undefined> =>
  (await rightCode(...tried))?.codeId;
