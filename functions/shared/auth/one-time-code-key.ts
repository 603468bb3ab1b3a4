import { type Key, keys } from '../contract/keys.ts';
import type { Write } from '../table/table.ts';

/** The purpose of a code. A code of one purpose is not valid for another. */
export type CodePurpose = 'device' | 'sign-in';

/** Identifies the one current code: its purpose, and the address in canonical form. */
export interface CodeSlot {
  purpose: CodePurpose;
  email: string;
}

/**
 * The write that consumes a code. Its transaction fails when the code was consumed or replaced concurrently.
 */
export function codeConsumption(slot: CodeSlot, codeId: string, nowMs: number): Write {
  return {
    Update: {
      Key: codeKey(slot),
      UpdateExpression: 'REMOVE codeHash',
      ConditionExpression: 'codeId = :codeId AND attribute_exists(codeHash) AND expiresAtMs > :now',
      ExpressionAttributeValues: { ':codeId': codeId, ':now': nowMs },
    },
  };
}

export const codeKey = ({ purpose, email }: CodeSlot): Key => keys.code(purpose, email);
