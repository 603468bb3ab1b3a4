/** What is paid or granted of a subscription and not over: the terms, and what the rest of them is worth. */
import { defined } from '../../shared/contract/defined.ts';
import { type Invoice, type PlanSnapshot, planAmount } from '../invoices/invoice.ts';
import type { Charge, PaidTerm, Subscription } from './subscription.ts';
import { endOfTerm } from './term.ts';

/** What is read of a subscription to know its terms. */
export type WithTerms = Pick<
  Subscription,
  'plan' | 'paidTerms' | 'charges' | 'billingAnchor' | 'termIndex' | 'termStartMs' | 'termEndMs'
>;

/**
 * The terms that are not over at a time, oldest first. The last one ends with the subscription's term, whatever moved that
 * end: granted days lengthen a term and make none of its days worth more.
 */
export function termsAt(subscription: WithTerms, atMs: number): PaidTerm[] {
  const { paidTerms = [], termEndMs = 0 } = subscription;
  const terms = [...paidTerms, ...unrecordedTerms(subscription)].filter(
    ({ untilMs }, i, all) => (i === all.length - 1 ? termEndMs : untilMs) > atMs,
  );
  const last = terms.at(-1);
  return last === undefined ? [] : [...terms.slice(0, -1), { ...last, untilMs: termEndMs }];
}

/**
 * The terms that release 0.1.0 appended, by their dates. It records none, and keeps those that are recorded: after a
 * rollback, or during a deployment, it renews subscriptions of this release.
 */
function unrecordedTerms(subscription: WithTerms): PaidTerm[] {
  const recordedMs = subscription.paidTerms?.at(-1)?.untilMs ?? 0;
  return termsByDates(subscription).filter(({ fromMs }) => fromMs >= recordedMs);
}

/** The terms of a subscription of release 0.1.0, which recorded only the latest. */
function termsByDates(subscription: WithTerms): PaidTerm[] {
  // Without a term, no time is after its start.
  const {
    plan,
    billingAnchor,
    termIndex = 0,
    termStartMs: fromMs = Number.NaN,
    termEndMs = 0,
  } = subscription;
  const priceMinor = planAmount(plan);
  // A pause has lengthened a term that is longer than its cycle.
  const pausedMs = Math.max(0, termEndMs - endOfTerm({ atMs: fromMs, cycle: plan.billingCycle }, 1));
  const latest = { fromMs, untilMs: termEndMs, priceMinor, ...defined({ pausedMs: pausedMs || undefined }) };
  if (billingAnchor === undefined || termIndex < 2) return [latest];
  return [{ fromMs: endOfTerm(billingAnchor, termIndex - 2), untilMs: fromMs, priceMinor }, latest];
}

/** The plan that applies at a time: that of the term, if the plan of the subscription is the one of a later term. */
export function planAt(subscription: WithTerms, atMs: number): PlanSnapshot {
  return termsAt(subscription, atMs)[0]?.plan ?? subscription.plan;
}

/** Whether two snapshots are of the same plan in the same quantity, at whatever price. */
export function isSamePlan(one: PlanSnapshot, other: PlanSnapshot): boolean {
  return one.planId === other.planId && (one.quantity ?? 1) === (other.quantity ?? 1);
}

/** What the rest of a term costs at a price of the whole, in minor units, rounded half up. */
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

/** What the rest of the terms is worth: at most what was charged for them and not credited or refunded. */
export function unusedMinor(subscription: WithTerms, atMs: number): number {
  const worth = termsAt(subscription, atMs).reduce(
    (sum, term) => sum + restOf(term, term.priceMinor, atMs),
    0,
  );
  if (subscription.charges === undefined) return worth;
  const charged = chargesAt(subscription, atMs).reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  return Math.min(worth, charged);
}

/**
 * Records a term that was appended to the subscription, and the invoice that charged it.
 *
 * @param before the subscription before it.
 */
export function recordTerm(
  next: Subscription,
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

const noCharges: readonly Charge[] = [];

/** The charges for terms that are not over: those that pay for more than the terms before the present one. */
export function chargesAt(subscription: WithTerms, atMs: number): readonly Charge[] {
  const [present] = termsAt(subscription, atMs);
  const { charges = noCharges, paidTerms } = subscription;
  // Nobody knows the invoices of terms that are not recorded.
  const unknown = unrecordedTerms(subscription).filter(() => paidTerms !== undefined);
  const all = [
    ...charges,
    ...unknown.map(({ untilMs, priceMinor: amountMinor }) => ({ n: 0, untilMs, amountMinor })),
  ];
  return present === undefined ? [] : all.filter(({ untilMs }) => untilMs > present.fromMs);
}

/** Moves the terms by a pause: the one that it interrupted becomes longer, and later ones begin later. */
export function moveByPause(
  next: Subscription,
  { pausedAtMs, delayMs }: { pausedAtMs: number; delayMs: number },
): void {
  const { paidTerms, charges, termEndMs = 0 } = next;
  const isLater = ({ untilMs }: { untilMs: number }) => untilMs > pausedAtMs;
  if (charges !== undefined)
    next.charges = charges.map((one) => (isLater(one) ? { ...one, untilMs: one.untilMs + delayMs } : one));
  if (paidTerms === undefined) return;
  next.paidTerms = paidTerms.map((term, i) => {
    const endMs = i === paidTerms.length - 1 ? termEndMs : term.untilMs;
    if (!isLater({ untilMs: endMs })) return term;
    const untilMs = endMs + delayMs;
    if (term.fromMs > pausedAtMs) return { ...term, fromMs: term.fromMs + delayMs, untilMs };
    return { ...term, untilMs, pausedMs: (term.pausedMs ?? 0) + delayMs };
  });
}

/**
 * Reduces a charge by the share that was refunded, so that no change of plan credits it again. Rounded half up. The charge of
 * a term that release 0.1.0 sold names no invoice: it is found by the period of the invoice, and named from then on.
 */
export function reduceCharge(
  next: Subscription,
  { n, periodEndMs = 0 }: Pick<Invoice, 'n' | 'periodEndMs'>,
  { amountMinor, leftMinor, atMs }: { amountMinor: number; leftMinor: number; atMs: number },
): void {
  const terms = termsAt(next, atMs);
  const charges =
    next.charges === undefined
      ? terms.map(({ untilMs, priceMinor }) => ({ n: 0, untilMs, amountMinor: priceMinor }))
      : chargesAt(next, atMs);
  const term = terms.find(({ fromMs, untilMs }) => fromMs < periodEndMs && periodEndMs <= untilMs);
  const found =
    charges.find((charge) => charge.n === n) ??
    charges.find((charge) => charge.n === 0 && charge.untilMs === term?.untilMs);
  if (found === undefined) return;
  const leftOfCharge = Math.round((found.amountMinor * leftMinor) / (leftMinor + amountMinor));
  next.paidTerms = terms;
  next.charges = charges.map((charge) =>
    charge === found ? { ...charge, n, amountMinor: leftOfCharge } : charge,
  );
}
