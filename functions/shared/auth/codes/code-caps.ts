/**
 * The caps of codes mailed to one mailbox, for all purposes together.
 *
 * A stranger can ask for codes to any mailbox. An address block that verified the mailbox before, and whoever shows what only the
 * owner has, are counted apart from strangers and from each other.
 */
import { hourMs } from '../../runtime/clock.ts';
import { type Refusal, refusal, windowFreeAtMs } from '../../table/sliding-window.ts';

/** Codes to one mailbox in any hour. */
export const codeCaps = {
  perRequester: 6,
  /** For all blocks that did not verify it, one code for each. */
  strangers: 20,
  /** A block that did not verify it gets another code only while all such blocks together have had fewer than these. */
  strangersAgain: 6,
  windowMs: hourMs,
} as const;

interface SentCode {
  atMs: number;
  /** The requester, as a keyed hash. */
  by: string;
}

/** The codes that were sent to a mailbox in the last hour, in the order of their writes. */
export interface CodeLog {
  strangers: readonly SentCode[];
  verified: readonly SentCode[];
}

/**
 * Counts one more code.
 *
 * @param by the requester, as a keyed hash.
 * @returns the log with the code and without those that left the window; or the refusal, whose `Retry-After` is exact
 * as long as nobody else asks.
 */
export function countCode(
  log: CodeLog,
  { by, isVerified }: { by: string; isVerified: boolean },
  nowMs: number,
): CodeLog | Refusal {
  const inWindow = ({ atMs }: SentCode) => atMs > nowMs - codeCaps.windowMs;
  const current = { strangers: log.strangers.filter(inWindow), verified: log.verified.filter(inWindow) };
  const own = [...current.strangers, ...current.verified].filter((code) => code.by === by);
  const ownAtMs = freeAtMs(own, codeCaps.perRequester);
  const poolAtMs = isVerified
    ? 0
    : Math.min(
        freeAtMs(current.strangers, codeCaps.strangersAgain),
        Math.max(freeAtMs(own, 1), freeAtMs(current.strangers, codeCaps.strangers)),
      );
  const waitMs = Math.max(ownAtMs, poolAtMs) - nowMs;
  if (waitMs > 0) return refusal(codeCaps, waitMs);
  const pool = isVerified ? 'verified' : 'strangers';
  return { ...current, [pool]: [...current[pool], { atMs: nowMs, by }] };
}

/** When the codes leave room for one more (epoch ms); 0: now. */
function freeAtMs(codes: readonly SentCode[], max: number): number {
  const times = codes.map(({ atMs }) => atMs);
  return windowFreeAtMs(times, { max, windowMs: codeCaps.windowMs });
}
