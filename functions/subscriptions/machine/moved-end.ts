/** The end of a trial or a term that moves: after a pause, and when the application grants time. */
import type { Invoice } from '../../invoices/invoice.ts';
import type { SubscriptionFields, TermStatus } from '../record/subscription.ts';
import { type Anchor, endOfTerm } from '../record/term.ts';
import { type Draft, update } from './draft.ts';
import { endAfter } from './granted-term.ts';

/** Moves the end of the term, and the dates of the open invoices of the terms after it. */
export function moveTermEnd(draft: Draft<TermStatus>, termEndMs: number): void {
  const { before, next } = draft;
  const { billingAnchor, termIndex } = before;
  const shifted = shiftedAnchor(billingAnchor, termIndex, before.termEndMs, termEndMs);
  next.billingAnchor = shifted ?? { atMs: termEndMs, cycle: billingAnchor.cycle };
  next.termIndex = shifted === undefined ? 0 : termIndex;
  next.termEndMs = termEndMs;
  for (const { n, planOnPayment } of next.openInvoices) {
    // The term of a reversed payment was granted before, and its dates stay.
    if (planOnPayment === undefined) continue;
    update(draft, {
      n,
      dueAtMs: termEndMs,
      periodStartMs: termEndMs,
      periodEndMs: endAfter(next, planOnPayment),
    });
  }
}

/**
 * The anchor, moved as far as the end, if the end is still that of the same term. So the day of the month stays: after a
 * pause of a second in February, monthly terms from 31 January still end on 31 March.
 *
 * @returns undefined when the calendar does not allow it: the terms are counted from the new end then.
 */
function shiftedAnchor(
  { atMs, cycle }: Anchor,
  termIndex: number,
  endMs: number,
  newEndMs: number,
): Anchor | undefined {
  const shifted = { atMs: atMs + newEndMs - endMs, cycle };
  return endOfTerm(shifted, termIndex) === newEndMs ? shifted : undefined;
}

/** The dates of the invoice of the first term. @param startMs the end of the trial, or the date at which it begins. */
export function firstTermOf(
  { plan }: Pick<SubscriptionFields, 'plan'>,
  startMs: number,
): Required<Pick<Invoice, 'dueAtMs' | 'periodStartMs' | 'periodEndMs'>> {
  const periodEndMs = endOfTerm({ atMs: startMs, cycle: plan.billingCycle }, 1);
  return { dueAtMs: startMs, periodStartMs: startMs, periodEndMs };
}
