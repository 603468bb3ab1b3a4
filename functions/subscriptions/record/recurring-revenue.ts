import type { PlanSnapshot } from '../../invoices/invoice.ts';
import type { Movement, MovementKind } from './movement.ts';
import { planAt, type WithTerms } from './paid-terms.ts';
import type { Status, SubscriptionFields } from './subscription.ts';

/** A subscription that is paused and resumed without end keeps its first movement and the latest ones. */
const maxMovements = 24;

const termsPerYear = { weekly: 52, monthly: 12, quarterly: 4, semiannual: 2, annual: 1 } as const;
const monthsPerYear = 12;

/** Trials have not been paid for, and a pause is not. An overdue subscription counts until it ends. */
const payingStatuses: readonly (Status | 'none')[] = ['active', 'past_due'];

/** The price of a plan for a month, in minor units, rounded half up for each subscription: figures of a report add up exactly. */
function monthlyMinor({
  priceMinor,
  billingCycle,
  quantity = 1,
}: Pick<PlanSnapshot, 'priceMinor' | 'billingCycle'> & { quantity?: number }): number {
  return Math.floor((priceMinor * quantity * termsPerYear[billingCycle]) / monthsPerYear + 1 / 2);
}

/**
 * The movements of a subscription after a change that took effect at `atMs`. Unchanged, they are the same array.
 *
 * A term of another plan that was paid early counts from its own start, with the step that begins it.
 */
export function movementsAfter(
  previous: readonly Movement[],
  next: WithTerms & Pick<SubscriptionFields, 'status'>,
  atMs: number,
): readonly Movement[] {
  const last = previous.at(-1);
  // A payment can take effect before a change that was made earlier. Movements stay in order.
  const effectiveMs = Math.max(atMs, last?.atMs ?? atMs);
  const before = last?.monthlyMinor ?? 0;
  const plan = planAt(next, atMs);
  const after = payingStatuses.includes(next.status) ? monthlyMinor(plan) : 0;
  const { currency } = plan;
  if (last === undefined || last.monthlyMinor === 0 || last.currency === currency) {
    if (before === after) return previous;
    const kind = kindOf(last, after, next.status);
    return bounded([...previous, { atMs: effectiveMs, kind, currency, monthlyMinor: after }]);
  }
  // Amounts of two currencies have no difference: the one ends, and the other begins.
  const ended: Movement = {
    atMs: effectiveMs,
    kind: 'contraction',
    currency: last.currency,
    monthlyMinor: 0,
  };
  if (after === 0) return bounded([...previous, { ...ended, kind: endKind(next.status) }]);
  return bounded([
    ...previous,
    ended,
    { atMs: effectiveMs, kind: 'expansion', currency, monthlyMinor: after },
  ]);
}

function kindOf(last: Movement | undefined, after: number, status: Status): MovementKind {
  if (after === 0) return endKind(status);
  if (last === undefined) return 'new';
  if (last.monthlyMinor === 0) return 'reactivated';
  // Stryker disable next-line EqualityOperator: an equal amount is no movement.
  return after > last.monthlyMinor ? 'expansion' : 'contraction';
}

function endKind(status: Status): MovementKind {
  if (status === 'paused') return 'paused';
  // An active subscription goes on for nothing: its new plan is free.
  return payingStatuses.includes(status) ? 'contraction' : 'churned';
}

function bounded(movements: readonly Movement[]): readonly Movement[] {
  return movements.filter((_, i) => i === 0 || movements.length - i < maxMovements);
}
