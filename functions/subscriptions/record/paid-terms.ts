import { type PlanSnapshot, planAmount } from '../../invoices/invoice.ts';
import { sumMinor } from '../../shared/money/money.ts';
import type { Charge, OpenInvoice, PaidTerm, SubscriptionFields } from './subscription.ts';

export type WithTerms = Pick<SubscriptionFields, 'plan' | 'paidTerms' | 'charges' | 'termEndMs'>;

/**
 * The terms that are not over at a time, oldest first. The last one ends with the subscription's term, whatever moved that
 * end: granted days lengthen a term and make none of its days worth more.
 */
export function termsAt(subscription: WithTerms, atMs: number): PaidTerm[] {
  const { paidTerms, termEndMs = 0 } = subscription;
  const terms = paidTerms.filter(
    ({ untilMs }, i, all) => (i === all.length - 1 ? termEndMs : untilMs) > atMs,
  );
  const last = terms.at(-1);
  return last === undefined ? [] : [...terms.slice(0, -1), { ...last, untilMs: termEndMs }];
}

export function planAt(subscription: WithTerms, atMs: number): PlanSnapshot {
  return termsAt(subscription, atMs)[0]?.plan ?? subscription.plan;
}

/** Whether two snapshots are of the same plan in the same quantity, at whatever price. */
export function isSamePlan(one: PlanSnapshot, other: PlanSnapshot): boolean {
  return one.planId === other.planId && (one.quantity ?? 1) === (other.quantity ?? 1);
}

/** The price of the rest of a term, at a price of the whole, in minor units, rounded half up. */
export function restOf(
  { fromMs, untilMs, pausedMs = 0 }: PaidTerm,
  priceMinor: number,
  atMs: number,
): number {
  const wholeMs = Math.max(1, untilMs - fromMs - pausedMs);
  const restMs = Math.max(0, Math.min(untilMs - Math.max(atMs, fromMs), wholeMs));
  // Exact: the product may exceed the safe integers.
  return Number((BigInt(priceMinor) * BigInt(restMs) * 2n + BigInt(wholeMs)) / (BigInt(wholeMs) * 2n));
}

/** The value of the rest of the terms: at most the charges for them that were not credited or refunded. */
export function unusedMinor(subscription: WithTerms, atMs: number): number {
  const worth = termsAt(subscription, atMs).reduce(
    (sum, term) => sum + restOf(term, term.priceMinor, atMs),
    0,
  );
  const charged = sumMinor(chargesAt(subscription, atMs));
  return Math.min(worth, charged);
}

/**
 * Records a term that was appended to the subscription, and the invoice that charged it.
 *
 * @param before the subscription before it.
 */
export function recordTerm(
  next: SubscriptionFields,
  before: WithTerms,
  { n, atMs }: { n: number; atMs: number },
): void {
  const { plan, termStartMs: fromMs = 0, termEndMs: untilMs = 0 } = next;
  const earlier = termsAt(before, atMs).map((term) => withOwnPlan(term, before.plan, plan));
  const amountMinor = planAmount(plan);
  next.paidTerms = [...earlier, { fromMs, untilMs, priceMinor: amountMinor }];
  next.charges = [...chargesAt(before, atMs), { n, untilMs, amountMinor }];
}

/** A term keeps its plan when the subscription gets another one for a later term. */
function withOwnPlan(term: PaidTerm, plan: PlanSnapshot, later: PlanSnapshot): PaidTerm {
  const own = term.plan ?? plan;
  const { plan: _, ...rest } = term;
  return isSamePlan(own, later) ? rest : { ...rest, plan: own };
}

/** The charges for terms that are not over: those that pay for more than the terms before the present one. */
export function chargesAt(subscription: WithTerms, atMs: number): readonly Charge[] {
  const [present] = termsAt(subscription, atMs);
  return present === undefined ? [] : subscription.charges.filter(({ untilMs }) => untilMs > present.fromMs);
}

/** Moves the terms by a pause: the one that it interrupted becomes longer, and later ones begin later. */
export function moveByPause(
  next: SubscriptionFields,
  { pausedAtMs, delayMs }: { pausedAtMs: number; delayMs: number },
): void {
  const { paidTerms, charges, termEndMs = 0 } = next;
  const isLater = ({ untilMs }: { untilMs: number }) => untilMs > pausedAtMs;
  next.charges = charges.map((one) => (isLater(one) ? { ...one, untilMs: one.untilMs + delayMs } : one));
  next.paidTerms = paidTerms.map((term, i) => {
    const endMs = i === paidTerms.length - 1 ? termEndMs : term.untilMs;
    if (!isLater({ untilMs: endMs })) return term;
    const untilMs = endMs + delayMs;
    if (term.fromMs > pausedAtMs) return { ...term, fromMs: term.fromMs + delayMs, untilMs };
    return { ...term, untilMs, pausedMs: (term.pausedMs ?? 0) + delayMs };
  });
}

/** Reduces a charge by the share that credit notes had credited of its invoice before. */
export const reduceByCreditNotes = (
  next: SubscriptionFields,
  {
    n,
    totalMinor,
    settled: { creditNotedMinor = 0 } = {},
  }: Pick<OpenInvoice, 'n' | 'totalMinor' | 'settled'>,
  atMs: number,
): void =>
  reduceCharge(next, n, { amountMinor: creditNotedMinor, leftMinor: totalMinor - creditNotedMinor, atMs });

/** Reduces a charge by the share that was refunded, so that no change of plan credits it again. Rounded half up. */
export function reduceCharge(
  next: SubscriptionFields,
  n: number,
  { amountMinor, leftMinor, atMs }: { amountMinor: number; leftMinor: number; atMs: number },
): void {
  if (amountMinor === 0) return;
  next.charges = chargesAt(next, atMs).map((charge) =>
    charge.n === n
      ? { ...charge, amountMinor: Math.round((charge.amountMinor * leftMinor) / (leftMinor + amountMinor)) }
      : charge,
  );
}
