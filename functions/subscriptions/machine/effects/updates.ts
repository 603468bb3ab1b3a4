import { defined } from '../../../shared/contract/defined.ts';
import { moveByPause } from '../../record/paid-terms.ts';
import { pausedDurationMs } from '../../record/paused-time.ts';
import type { TermStatus } from '../../record/subscription.ts';
import { creditLeft } from '../books.ts';
import { closeCheckouts, type Draft, type DraftOf, mail, update } from '../draft.ts';
import { firstTermOf, moveTermEnd } from '../moved-end.ts';

export function cancelAtPeriodEnd(draft: Draft): void {
  const { next } = draft;
  next.cancelAtPeriodEnd = true;
  // That of a term to come need not be paid any more.
  const owed = next.openInvoices.find(({ planOnPayment }) => planOnPayment === undefined);
  mail(draft, 'cancellation_scheduled', {
    step: next.revision,
    invoiceN: owed?.n,
    facts: defined({ balanceMinor: creditLeft(draft, next.plan.currency) || undefined }),
  });
}

export function undoCancellation(draft: Draft): void {
  draft.next.cancelAtPeriodEnd = false;
  mail(draft, 'cancellation_undone', withOpenInvoice(draft));
}

export function extendTrial(draft: DraftOf<'extend_trial'>): void {
  const { next, untilMs } = draft;
  next.trialEndMs = untilMs;
  // The reminder named the old end: another one follows before the new end.
  next.trialReminderSent = false;
  for (const { n } of next.openInvoices) update(draft, { n, ...firstTermOf(next, untilMs) });
  mail(draft, 'trial_extended', withOpenInvoice(draft));
}

export function grantDays(draft: DraftOf<'grant_days', TermStatus>): void {
  const { next, untilMs } = draft;
  moveTermEnd(draft, untilMs);
  // A paused subscription does not end before it is resumed.
  if (next.status !== 'paused') mail(draft, 'time_granted', withOpenInvoice(draft));
}

export function setAutoRenew(draft: DraftOf<'set_auto_renew'>): void {
  const { next, autoRenew } = draft;
  next.autoRenew = autoRenew;
  // Before the first payment nothing renews that a mail has told of.
  if (next.status === 'pending' || next.cancelAtPeriodEnd) return;
  if (autoRenew) mail(draft, 'renewal_on', withOpenInvoice(draft));
  else mail(draft, 'renewal_off', { step: next.revision });
}

export function pause(draft: DraftOf<'pause'>): void {
  const { next, nowMs, resumesAtMs } = draft;
  next.pausedAtMs = nowMs;
  if (resumesAtMs !== undefined) next.resumesAtMs = resumesAtMs;
  // The payment page does not offer a payment while the subscription is paused.
  closeCheckouts(draft, next.openInvoices);
  const facts = defined({ changesAtMs: nowMs, resumesAtMs });
  mail(draft, 'paused', { step: next.revision, facts });
}

export function resume(draft: Draft<'paused'>): void {
  const { before, next, atMs } = draft;
  const { pausedAtMs, termStartMs, termEndMs } = before;
  const delayMs = pausedDurationMs(before, atMs);
  if (termStartMs > pausedAtMs) next.termStartMs = termStartMs + delayMs;
  if (next.trialRemainder !== undefined && next.startAtMs > pausedAtMs) {
    const { fromMs, untilMs } = next.trialRemainder;
    next.startAtMs += delayMs;
    if (untilMs > pausedAtMs) next.trialRemainder = { fromMs, untilMs: untilMs + delayMs };
  }
  moveByPause(next, { pausedAtMs, delayMs });
  moveTermEnd(draft, termEndMs + delayMs);
  mail(draft, 'resumed', withOpenInvoice(draft));
}

export function resumeInArrears(draft: Draft<'paused'>): void {
  resume(draft);
  draft.next.dunning = { fromMs: draft.atMs, reminders: 0 };
}

/** A mail that also says how to pay what is open. */
const withOpenInvoice = ({ next }: Draft) => ({ step: next.revision, invoiceN: next.openInvoices[0]?.n });
