import { dueMinor } from '../../invoices/due.ts';
import { creditedMinor } from '../../ledger/entry.ts';
import { defined } from '../../shared/contract/defined.ts';
import { toDecimal } from '../../shared/money/money.ts';
import { isoTime, optionalIsoTime } from '../../shared/runtime/clock.ts';
import type { PlanChangeDetails } from '../contracts/plan-change.ts';
import type { Change } from '../machine/decide.ts';
import type { PlanChangeDecision } from '../machine/event.ts';
import { prorate } from '../record/plan-change.ts';
import type { Subscription } from '../record/subscription.ts';

/** A change of plan, as its preview and its response show it. */
export function toPlanChangeResponse(command: PlanChangeDecision, change: Change): PlanChangeDetails {
  const { atMs, planChange } = command;
  const { event } = command.event;
  const { next, previous, issued, creditNotes, books } = change;
  const { plan } = planChange;
  const { currency } = plan;
  const [invoice] = issued;
  const isProrated = event === 'change_plan' && previous?.status === 'active';
  const lines = isProrated ? prorate(previous, planChange, atMs).lines : (invoice?.lines ?? []);
  const notedMinor = creditNotes.reduce((sum, { totalMinor }) => sum + totalMinor, 0);
  const movedMinor = creditedMinor(books, currency);
  const openMinor = invoice === undefined ? 0 : dueMinor(invoice);
  const amount = (minor: number) => toDecimal(minor, currency);
  return {
    effect: effectOf(event),
    quotedAt: isoTime(atMs),
    effectiveAt: event === 'schedule_plan_change' ? isoTime(next.termEndMs ?? atMs) : isoTime(atMs),
    planId: plan.planId,
    ...defined({ quantity: plan.quantity }),
    currency,
    lines: lines.map(({ description, quantity, amountMinor }) => ({
      description,
      quantity,
      amount: amount(amountMinor),
    })),
    total: amount((invoice?.totalMinor ?? 0) - notedMinor),
    amountDue: amount(openMinor),
    creditChange: amount(movedMinor),
    ...defined({
      dueAt: openMinor > 0 ? optionalIsoTime(invoice?.dueAtMs) : undefined,
      endDate: optionalIsoTime(next.termEndMs),
    }),
  };
}

/** The response of a change that changes nothing. */
export function toUnchangedPlanResponse({ plan, termEndMs }: Subscription, nowMs: number): PlanChangeDetails {
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
