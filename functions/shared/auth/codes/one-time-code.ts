import * as keys from '../../contract/keys.ts';
import type { Write } from '../../table/table.ts';
import { type CountedTry, tryReturn } from './code-tries.ts';
import { type EnrolmentLink, linkSpending } from './enrolment-link-store.ts';

/** The purpose of a code. A code of one purpose is not valid for another. */
export type CodePurpose = 'device' | 'sign-in' | 'account';

/** Identifies a current code: its purpose, and the address in canonical form. */
export interface CodeSlot {
  purpose: CodePurpose;
  email: string;
  /** Whose code it is: a browser session, or a source that verified the mailbox. Without one, anybody's. */
  holder?: string;
}

export interface RightCode {
  slot: CodeSlot;
  codeId: string;
  counted: CountedTry;
  remembered: Write;
  link: EnrolmentLink | undefined;
}

/**
 * The writes that consume a code, give the try back, remember what verified the mailbox and spend its enrolment link. Their
 * transaction fails when the code was consumed or replaced, or the link spent, concurrently.
 */
export function codeConsumption(
  { slot, codeId, counted, remembered, link }: RightCode,
  nowMs: number,
): Write[] {
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
    ...linkSpending(link, nowMs),
  ];
}

export const codeKey = ({ purpose, email, holder }: CodeSlot): keys.Key => keys.code(purpose, email, holder);
