/**
 * Enrolment links. An operator has one mailed to a user. Whoever opens it reads the mailbox, so codes that are asked for with it
 * are counted apart from those of strangers. The first right code spends it.
 */
import * as keys from '../../contract/keys.ts';
import { mailboxOf } from '../../fields/mailbox.ts';
import { dayMs } from '../../runtime/clock.ts';
import { notExists, transactWrite, type Write } from '../../table/table.ts';

export const enrolmentLifetimeMs = 7 * dayMs;

/** A link as it is stored, without its token. Times in epoch milliseconds. */
export interface EnrolmentLink {
  mailbox: string;
  /** The SHA-256 of the token, in hexadecimal. */
  hash: string;
  sentAtMs: number;
  /** When a right code spent it. */
  spentAtMs?: number;
}

/** Stores the link of a token that is about to be mailed to an address, with the record of the operator who sends it. */
export async function storeLink(email: string, hash: string, nowMs: number, audit: Write): Promise<void> {
  const mailbox = mailboxOf(email);
  const link: EnrolmentLink = { mailbox, hash, sentAtMs: nowMs };
  const item = {
    ...keys.enrolmentLink(mailbox, hash),
    ...link,
    ...keys.timeToLive(nowMs + enrolmentLifetimeMs),
  };
  await transactWrite([{ Put: { Item: item, ConditionExpression: notExists } }, audit]);
}

/** Whether a link can be used: it is neither spent nor expired, and nobody has revoked what the mailbox had. */
export function isUsableLink(
  link: EnrolmentLink | undefined,
  revokedAtMs: number,
  nowMs: number,
): link is EnrolmentLink {
  return (
    link !== undefined &&
    link.spentAtMs === undefined &&
    link.sentAtMs >= revokedAtMs &&
    nowMs < link.sentAtMs + enrolmentLifetimeMs
  );
}

/** The writes that spend a link, if there is one. Of any number of transactions that spend it one succeeds. */
export function linkSpending(link: EnrolmentLink | undefined, nowMs: number): Write[] {
  if (link === undefined) return [];
  return [
    {
      Update: {
        Key: keys.enrolmentLink(link.mailbox, link.hash),
        UpdateExpression: 'SET spentAtMs = :now',
        ConditionExpression: 'attribute_exists(sentAtMs) AND attribute_not_exists(spentAtMs)',
        ExpressionAttributeValues: { ':now': nowMs },
      },
    },
  ];
}
