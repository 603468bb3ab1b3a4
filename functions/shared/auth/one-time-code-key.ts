import { type Key, keys } from '../contract/keys.ts';
import type { Write } from '../table/table.ts';

/** A code of one purpose is worthless for another. */
export type CodePurpose = 'device' | 'sign-in';

/** Whose code, and what for; the address in its canonical form. */
export interface CodeSlot {
  purpose: CodePurpose;
  email: string;
}

/** The write that uses a code up; its transaction fails when that happened meanwhile, or another was sent. */
export function consumption(slot: CodeSlot, codeId: string, nowMs: number): Write {
  return {
    Update: {
      Key: codeKey(slot),
      UpdateExpression: 'REMOVE codeId, codeHash',
      ConditionExpression: 'codeId = :codeId AND expiresAtMs > :now',
      ExpressionAttributeValues: { ':codeId': codeId, ':now': nowMs },
    },
  };
}

export const codeKey = ({ purpose, email }: CodeSlot): Key => keys.code(purpose, email);
