import { dueMinor } from '../../invoices/due.ts';
import { creditedMinor } from '../../ledger/entry.ts';
import { defined } from '../../shared/contract/defined.ts';
import { toDecimal } from '../../shared/money/money.ts';
import { isoTime, optionalIsoTime } from '../../shared/runtime/clock.ts';
import type { PlanChangeDetails } from '../contracts/plan-changes.ts';
import type { Change, DecidedPlanChange } from '../machine/decide.ts';
import { prorate } from '../record/plan-change.ts';
import type { Subscription } from '../record/subscription.ts';

export const toPlanChangeResponse = (decided: DecidedPlanChange): PlanChangeDetails =>
  decided.kind === 'changed'
    ? toChangedPlanResponse(decided)
    : toUnchangedPlanResponse(decided.subscription, decided.atMs);

function toChangedPlanResponse({
  planChange,
  change,
  atMs,
}: Extract<DecidedPlanChange, { kind: 'changed' }>): PlanChangeDetails {
  const { event, next, previous, issued, creditNotes, books } = change;
  const { plan } = planChange;
  const { currency } = plan;
  const sum = (amounts: readonly number[]) => amounts.reduce((total, one) => total + one, 0);
  const totalOf = (documents: readonly { totalMinor: number }[]) =>
    sum(documents.map(({ totalMinor }) => totalMinor));
  const isProrated = event === 'change_plan' && previous?.status === 'active';
  const prorated = isProrated ? prorate(previous, planChange, atMs) : undefined;
  // A difference to pay is invoiced. Credit notes have no lines.
  const credited = prorated !== undefined && prorated.totalMinor <= 0 ? prorated.lines : [];
  const lines = [...credited, ...issued.flatMap((invoice) => invoice.lines)];
  const due = issued.filter((invoice) => dueMinor(invoice) > 0);
  const dueAtMs = due.length > 0 ? Math.min(...due.map((invoice) => invoice.dueAtMs)) : undefined;
  const amount = (minor: number) => toDecimal(minor, currency);
  return {
    effect: effectOf(event),
    quotedAt: isoTime(atMs),
    effectiveAt: event === 'schedule_plan_change' ? isoTime(previous?.termEndMs ?? atMs) : isoTime(atMs),
    planId: plan.planId,
    ...defined({ quantity: plan.quantity }),
    currency,
    lines: lines.map(({ description, quantity, amountMinor }) => ({
      description,
      quantity,
      amount: amount(amountMinor),
    })),
    total: amount(totalOf(issued) - totalOf(creditNotes)),
    amountDue: amount(sum(due.map(dueMinor))),
    creditChange: amount(creditedMinor(books, currency)),
    ...defined({
      dueAt: optionalIsoTime(dueAtMs),
      endDate: optionalIsoTime(next.termEndMs),
    }),
  };
}

function toUnchangedPlanResponse({ plan, termEndMs }: Subscription, nowMs: number): PlanChangeDetails {
  const { planId, quantity, currency } = plan;
  const at = isoTime(nowMs);
  return {
    effect: 'none',
    quotedAt: at,
    effectiveAt: at,
    planId,
    ...defined({ quantity }),
    currency,
    lines: [],
    total: 0,
    amountDue: 0,
    creditChange: 0,
    ...defined({ endDate: optionalIsoTime(termEndMs) }),
  };
}

function effectOf(event: Change['event']): PlanChangeDetails['effect'] {
  if (event === 'schedule_plan_change') return 'period_end';
  return event === 'undo_plan_change' ? 'undone' : 'now';
}
