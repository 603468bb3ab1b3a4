import { type Invoice, type PlanSnapshot, planAmount } from '../../invoices/invoice.ts';
import type { BillingCycle } from '../../plans/plan.ts';
import { sumMinor } from '../../shared/money/money.ts';
import { planAt, restOf, termsAt, unusedMinor, type WithTerms } from './paid-terms.ts';
import type { PaidTerm, SubscriptionFields } from './subscription.ts';
import { type Anchor, endOfTerm } from './term.ts';

/** Of one subscription for terms that are not over. Credit notes correct one charge each, in one transaction. */
export const maxCharges = 20;

export interface PlanChange {
  /** The new plan as sold now, in the quantity that is asked for. */
  readonly plan: PlanSnapshot;
  readonly proration: 'credit' | 'none';
  /** Among them those that charged for terms that are not over. A credit note corrects them. */
  readonly invoices: readonly Invoice[];
}

/** The effects of a change of plan at once. Amounts in minor units, as prices of plans are; times in epoch milliseconds. */
export interface Proration {
  /** The credit, negative, and the charge. Empty when no money moves. */
  readonly lines: Invoice['lines'];
  /** Of the lines: charged when positive, credited when negative. */
  readonly totalMinor: number;
  /** From when to when the lines are. */
  readonly fromMs: number;
  readonly untilMs: number;
  /** The terms that are granted after the change. */
  readonly terms: readonly PaidTerm[];
  /** Another billing cycle begins a new term at once: its anchor. */
  readonly anchor?: Anchor;
}

/** Terms in a year. */
const termsPerYear: Readonly<Record<BillingCycle, number>> = {
  weekly: 52,
  monthly: 12,
  quarterly: 4,
  semiannual: 2,
  annual: 1,
};

export function isUpgrade(from: PlanSnapshot, to: PlanSnapshot): boolean {
  const yearly = (plan: PlanSnapshot) => planAmount(plan) * termsPerYear[plan.billingCycle];
  return yearly(to) > yearly(from);
}

/**
 * Computes what a change of plan at once does to an active subscription.
 *
 * The rest of a term is worth its share of the price, by the millisecond. Each amount is rounded half up to the minor unit
 * once. With the same billing cycle the term stays, and its rest is charged at the new price. With another one, a new term
 * begins at once and is charged in full; without proration, it begins with the next term.
 */
export function prorate(
  subscription: WithTerms & Pick<SubscriptionFields, 'billingAnchor'>,
  { plan, proration }: PlanChange,
  atMs: number,
): Proration {
  const { billingAnchor, termEndMs = atMs } = subscription;
  const old = planAt(subscription, atMs);
  const terms = termsAt(subscription, atMs);
  // Before the first term, which begins after a trial or on a later date, no time of it is used.
  const fromMs = Math.max(atMs, terms[0]?.fromMs ?? atMs);
  if (proration === 'none') {
    const kept = terms.map(({ plan: _, ...term }) => term);
    return { lines: [], totalMinor: 0, fromMs, untilMs: termEndMs, terms: kept };
  }
  const priceMinor = planAmount(plan);
  const unused = { of: old, amountMinor: -unusedMinor(subscription, atMs) };
  if (billingAnchor?.cycle === plan.billingCycle) {
    const repriced = terms.map(({ plan: _, ...term }) => ({ ...term, priceMinor }));
    const amountMinor = repriced.reduce((sum, term) => sum + restOf(term, priceMinor, atMs), 0);
    const lines = linesOf(unused, { of: plan, amountMinor, what: 'Remaining time: ' });
    return { lines, totalMinor: sumMinor(lines), fromMs, untilMs: termEndMs, terms: repriced };
  }
  const anchor = { atMs: fromMs, cycle: plan.billingCycle };
  const untilMs = endOfTerm(anchor, 1);
  const lines = linesOf(unused, { of: plan, amountMinor: priceMinor, what: '' });
  return {
    lines,
    totalMinor: sumMinor(lines),
    fromMs,
    untilMs,
    terms: [{ fromMs, untilMs, priceMinor }],
    anchor,
  };
}

interface PlanLine {
  of: PlanSnapshot;
  amountMinor: number;
}

function linesOf(unused: PlanLine, charged: PlanLine & { what: string }): Invoice['lines'] {
  const line = (what: string, { of: { name, quantity = 1 }, amountMinor }: PlanLine) => ({
    description: `${what}${name}`,
    quantity,
    amountMinor,
  });
  return [line('Unused time: ', unused), line(charged.what, charged)].filter(
    ({ amountMinor }) => amountMinor !== 0,
  );
}
