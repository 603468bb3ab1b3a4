import { type Key, keys } from '../contract/keys.ts';
import type { Write } from '../table/table.ts';
import { type CountedTry, tryReturn } from './code-tries.ts';

/** The purpose of a code. A code of one purpose is not valid for another. */
export type CodePurpose = 'device' | 'sign-in' | 'account';

/** Identifies the one current code: its purpose, and the address in canonical form. */
export interface CodeSlot {
  purpose: CodePurpose;
  email: string;
}

/** A code that was found right. */
export interface RightCode {
  slot: CodeSlot;
  codeId: string;
  /** The try that was counted, which is given back. */
  counted: CountedTry;
  /** Remembers the requester as one that verified the mailbox. */
  remembered: Write;
}

/**
 * The writes that consume a code, give the try back and remember who verified the mailbox. Their transaction fails when
 * the code was consumed or replaced concurrently.
 */
export function codeConsumption({ slot, codeId, counted, remembered }: RightCode, nowMs: number): Write[] {
  return [
    {
      Update: {
        Key: codeKey(slot),
        UpdateExpression: 'REMOVE codeHash',
        ConditionExpression: 'codeId = :codeId AND attribute_exists(codeHash) AND expiresAtMs > :now',
        ExpressionAttributeValues: { ':codeId': codeId, ':now': nowMs },
      },
    },
    tryReturn(counted),
    remembered,
  ];
}

export const codeKey = ({ purpose, email }: CodeSlot): Key => keys.code(purpose, email);
