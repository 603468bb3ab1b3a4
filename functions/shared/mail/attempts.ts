/**
 * The rule by which every mail is tried again, for the outbox of subscriptions and for alerts.
 *
 * SES has no idempotency key, so a mail that is sent again may arrive twice. Each try is one request, counted in the table
 * before it is made:
 *
 * - An error that proves that SES did not accept the mail takes the count back. The mail is tried again after 1, 2, 4, ...
 *   minutes, at most an hour apart.
 * - After every other outcome (no answer, a 5xx, a process that died) SES may have accepted the mail. The try remains
 *   counted as a possible copy, and the next one is made five minutes later, the one after that another hour later.
 * - A mail is given up after three possible copies, or after three days.
 */
import { dayMs, hourMs, minuteMs } from '../runtime/clock.ts';

/** The number of tries after which SES may have accepted a mail, over the whole life of the mail. */
export const maxCopies = 3;

/** A mail that could not be sent for this long is given up. */
export const giveUpAfterMs = 3 * dayMs;

const firstRetryMs = minuteMs;
const longestRetryMs = hourMs;
/** A try ends before this: the function that makes it is stopped then. The rest of a longer lease keeps two copies apart. */
export const longestTryMs = 5 * minuteMs;
const firstCopyLeaseMs = longestTryMs;
const laterCopyLeaseMs = hourMs;

/**
 * The time for which a try has the mail to itself, and after which the next copy may be sent.
 *
 * @param copies the possible copies, this try included.
 */
export const copyLeaseMs = (copies: number): number => (copies <= 1 ? firstCopyLeaseMs : laterCopyLeaseMs);

/** The delay after a try that certainly sent nothing. @param attempts all tries so far, this one included. */
export function retryDelayMs(attempts: number): number {
  return Math.min(longestRetryMs, firstRetryMs * 2 ** (attempts - 1));
}

/**
 * Whether a mail is given up.
 *
 * @param copies the possible copies so far.
 * @param dueSinceMs when the mail became due, epoch milliseconds.
 */
export function isGivenUp(
  { copies, dueSinceMs }: { copies: number; dueSinceMs: number },
  nowMs: number,
): boolean {
  return copies >= maxCopies || nowMs >= dueSinceMs + giveUpAfterMs;
}
