/**
 * The caps of codes mailed to one mailbox, for all purposes together (decision 31).
 *
 * A stranger can ask for codes to any mailbox. What verified the mailbox before, an address block or a device, has a
 * reserve that no other block can use up.
 */
import { hourMs } from '../runtime/duration.ts';
import { type Refusal, refusal, windowFreeAtMs } from '../table/rate-limit.ts';

/** Codes in any hour. The mailbox gets at most `strangers` and `reserve` together. */
export const codeCaps = {
  /** To one mailbox for one requester. */
  perRequester: 6,
  /** To one mailbox for all blocks that did not verify it. */
  strangers: 20,
  /** To one mailbox for all blocks and devices that verified it. */
  reserve: 6,
  windowMs: hourMs,
} as const;

/** A code that was sent. */
interface SentCode {
  /** Epoch milliseconds. */
  atMs: number;
  /** The requester, as a keyed hash. */
  by: string;
}

/** The codes that were sent to a mailbox in the last hour, in the order of their writes. */
export interface CodeLog {
  strangers: readonly SentCode[];
  reserve: readonly SentCode[];
}

/**
 * Counts one more code, in the reserve if the requester verified the mailbox and the reserve has room. A verified
 * requester therefore never gets less than a stranger.
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
  const current = { strangers: log.strangers.filter(inWindow), reserve: log.reserve.filter(inWindow) };
  const own = [...current.strangers, ...current.reserve].filter((code) => code.by === by);
  const ownAtMs = freeAtMs(own, codeCaps.perRequester);
  const pools = isVerified ? (['reserve', 'strangers'] as const) : (['strangers'] as const);
  const pool = pools.find((name) => freeAtMs(current[name], codeCaps[name]) === 0);
  if (ownAtMs > 0 || pool === undefined) {
    const poolAtMs = Math.min(...pools.map((name) => freeAtMs(current[name], codeCaps[name])));
    return refusal(codeCaps, Math.max(ownAtMs, poolAtMs) - nowMs);
  }
  return { ...current, [pool]: [...current[pool], { atMs: nowMs, by }] };
}

/** When the codes leave room for one more (epoch ms); 0: now. */
function freeAtMs(codes: readonly SentCode[], max: number): number {
  const times = codes.map(({ atMs }) => atMs);
  return windowFreeAtMs(times, { max, windowMs: codeCaps.windowMs });
}
