/** Claims of gateways and banks on payments. They decide what a payment holds, whatever came first. */

import { defined } from '../shared/contract/defined.ts';
import { sumMinor } from '../shared/money/money.ts';

/** The claims on a payment. Amounts in minor units of its currency, times are those of the events, epoch milliseconds. */
export interface Claims {
  /** The total that was refunded, as the latest event of a refund states it. */
  readonly refunds?: { readonly totalMinor: number; readonly atMs: number };
  /** The refunds that failed, by their ids: their money came back. */
  readonly failedRefunds?: Readonly<Record<string, { readonly amountMinor: number; readonly atMs: number }>>;
  /** The disputes, by their ids at the gateway. The latest event of each decides. */
  readonly disputes?: Readonly<Record<string, Dispute>>;
  /** The money of a transfer that its bank took back. */
  readonly reversals?: Reversals;
}

interface Dispute {
  /** Absent for the whole payment. */
  readonly amountMinor?: number;
  readonly atMs: number;
  readonly isWon?: true;
}

interface Reversals {
  /** The total that the seller stated, less the entries since. */
  readonly stated?: Reversal;
  /** The entries of statements, by their ids at the bank. Each counts once. */
  readonly entries: Readonly<Record<string, Reversal>>;
}

interface Reversal {
  readonly amountMinor: number;
  readonly atMs: number;
  /** The value date of an entry. */
  readonly valueAtMs?: number;
}

export type Claim =
  | {
      readonly claim: 'dispute';
      readonly id: string;
      readonly amountMinor: number | undefined;
      readonly atMs: number;
    }
  | { readonly claim: 'dispute_won'; readonly id: string; readonly atMs: number }
  | { readonly claim: 'refund'; readonly totalMinor: number | undefined; readonly atMs: number }
  | {
      readonly claim: 'refund_failed';
      readonly id: string;
      readonly amountMinor: number;
      readonly atMs: number;
    };

/** The claims after a further one; undefined when it says nothing new. */
export function afterClaim(claims: Claims = {}, claim: Claim): Claims | undefined {
  const { atMs } = claim;
  switch (claim.claim) {
    case 'dispute': {
      const known = claims.disputes?.[claim.id];
      // Stripe's times have whole seconds. A dispute is won after its withdrawal.
      if (known !== undefined && known.atMs >= atMs) return undefined;
      const { amountMinor } = claim;
      return withDispute(claims, claim.id, amountMinor === undefined ? { atMs } : { amountMinor, atMs });
    }
    case 'dispute_won': {
      const known = claims.disputes?.[claim.id];
      if (known !== undefined && (known.isWon || known.atMs > atMs)) return undefined;
      return withDispute(claims, claim.id, { ...known, atMs, isWon: true });
    }
    case 'refund': {
      const { totalMinor = Number.MAX_SAFE_INTEGER } = claim;
      const { refunds } = claims;
      const isLater = refunds === undefined || atMs > refunds.atMs;
      if (!isLater && (atMs < refunds.atMs || totalMinor <= refunds.totalMinor)) return undefined;
      return { ...claims, refunds: { totalMinor, atMs } };
    }
    case 'refund_failed': {
      const { id, amountMinor } = claim;
      // A gateway tells a failure by several events. The first tells when it was.
      const known = claims.failedRefunds?.[id];
      if (known !== undefined && known.atMs <= atMs) return undefined;
      return { ...claims, failedRefunds: { ...claims.failedRefunds, [id]: { amountMinor, atMs } } };
    }
  }
}

const withDispute = (claims: Claims, id: string, dispute: Dispute): Claims => ({
  ...claims,
  disputes: { ...claims.disputes, [id]: dispute },
});

/** The money that a bank took back of a payment: a total, as the seller states it, or one entry of a statement by its id there. */
export type BankReversal =
  | { readonly totalMinor: number }
  | { readonly entryId: string; readonly amountMinor: number; readonly valueAtMs: number };

/**
 * The claims after a reversal by a bank. A total replaces whatever was claimed. Entries add up, each once; what the seller stated before is
 * about the entries that follow.
 */
export function afterBankReversal(claims: Claims = {}, reversal: BankReversal, atMs: number): Claims {
  const { stated, entries = {} } = claims.reversals ?? {};
  if ('totalMinor' in reversal) {
    const none = Object.entries(entries).map(([id, { atMs }]) => [id, { amountMinor: 0, atMs }] as const);
    const total = { amountMinor: reversal.totalMinor, atMs };
    return { ...claims, reversals: { stated: total, entries: Object.fromEntries(none) } };
  }
  const { entryId, amountMinor, valueAtMs } = reversal;
  if (entries[entryId] !== undefined) return claims;
  const left = stated && { ...stated, amountMinor: Math.max(0, stated.amountMinor - amountMinor) };
  const added = { ...entries, [entryId]: { amountMinor, atMs, valueAtMs } };
  return { ...claims, reversals: { ...defined({ stated: left }), entries: added } };
}

/** The part of a payment that entries of statements can still take back, in minor units: also what the seller sent back. */
export const reversibleMinor = ({ reversals }: Claims, amountMinor: number): number =>
  amountMinor - sumMinor(Object.values(reversals?.entries ?? {}));

export function standingClaims({ disputes = {}, reversals }: Claims): readonly (Dispute | Reversal)[] {
  const { stated, entries = {} } = reversals ?? {};
  const open = Object.values(disputes).filter(({ isWon }) => isWon !== true);
  return [...open, ...(stated === undefined ? [] : [stated]), ...Object.values(entries)];
}

/** When the money of a gap moved, epoch milliseconds: the time of the latest claim that opens such a gap. */
export function latestClaimMs(claims: Claims = {}, gap: Claim['claim']): number | undefined {
  const { refunds, failedRefunds = {}, disputes = {} } = claims;
  const standing = standingClaims(claims);
  const won = Object.values(disputes).filter(({ isWon }) => isWon);
  const refunded = refunds === undefined ? [] : [refunds];
  const byGap: Readonly<Record<Claim['claim'], readonly Pick<Reversal, 'atMs' | 'valueAtMs'>[]>> = {
    dispute: standing,
    // A bank that states less than before ends no dispute.
    dispute_won: won.length > 0 ? won : standing,
    refund: refunded,
    refund_failed: [...Object.values(failedRefunds), ...refunded],
  };
  const latest = byGap[gap].toSorted((a, b) => b.atMs - a.atMs)[0];
  return latest && (latest.valueAtMs ?? latest.atMs);
}

/** The amount of a payment that is claimed, in minor units, each at most the whole payment. */
export function claimedMinor(
  claims: Claims,
  amountMinor: number,
): { readonly disputedMinor: number; readonly refundedMinor: number } {
  const { refunds, failedRefunds = {} } = claims;
  const openMinor = standingClaims(claims).reduce((sum, one) => sum + (one.amountMinor ?? amountMinor), 0);
  // A later total leaves out what failed before it.
  const failed = Object.values(failedRefunds).filter(
    ({ atMs }) => refunds !== undefined && atMs >= refunds.atMs,
  );
  const refundedMinor = Math.min(refunds?.totalMinor ?? 0, amountMinor) - sumMinor(failed);
  return { disputedMinor: Math.min(openMinor, amountMinor), refundedMinor: Math.max(0, refundedMinor) };
}

/** Claims that were reported before their payment. They are stored at the gateway's id of the payment. */
export interface EarlyClaims {
  applicationId: string;
  sourceId: string;
  claims: Claims;
  recordedAtMs: number;
  revision: number;
}
