/** What payments do to a subscription, other than to pay invoices in full: see granted-term.ts for those. */

import { sumDueMinor } from '../../invoices/due.ts';
import { defined } from '../../shared/contract/defined.ts';
import { dayMs } from '../../shared/runtime/duration.ts';
import { reduceCharge } from '../record/paid-terms.ts';
import { hasEnded, type OpenInvoice } from '../record/subscription.ts';
import { issueCreditNote } from './credit-note.ts';
import { closeCheckouts, creditLeft, type Draft, mail, update, useCredit } from './draft.ts';
import { beginTerm, settleInvoices } from './granted-term.ts';
import { endProcessing, receiveParts } from './received-money.ts';
import { given } from './transition-context.ts';

/** A part of an invoice was paid: the rest is due. An open checkout asks for the whole amount, so it is closed. */
export function recordPartialPayment(draft: Draft): void {
  const { next, parts, payment } = draft;
  receiveParts(draft);
  const touched = next.openInvoices.filter(({ n }) => parts.some((part) => part.n === n));
  closeCheckouts(draft, touched);
  const [first] = touched;
  if (first === undefined) return;
  const { paymentId, amountMinor } = given(payment);
  mail(draft, 'partial_payment', {
    // A payment that was disputed and came back can be applied in part once more.
    step: `${paymentId}.${next.revision}`,
    invoiceN: first.n,
    facts: {
      paymentMinor: amountMinor,
      openMinor: sumDueMinor(next.openInvoices, first.currency),
    },
  });
}

/** A payment became credit of the client, which the next invoice uses. */
export function recordCredit(draft: Draft): void {
  receiveParts(draft);
  const { creditMinor = 0 } = draft;
  if (creditMinor <= 0) return;
  const { paymentId, currency } = given(draft.payment);
  mail(draft, 'payment_credited', {
    step: `${paymentId}.${draft.next.revision}`,
    facts: { paymentMinor: creditMinor, currency },
  });
}

/** Money was sent back, or a part of an open invoice was taken back. A mail tells it. */
export function reverseParts(draft: Draft): void {
  receiveParts(draft);
  const { next, parts, event } = draft;
  const lessPaid = next.openInvoices.filter(({ n }) => parts.some((part) => part.n === n));
  closeCheckouts(draft, lessPaid);
  if (event === 'payment_returned') mailRefund(draft);
  else if (lessPaid[0] !== undefined) mailReversal(draft, lessPaid[0]);
}

/** Says that money was taken back, and what is due now. */
function mailReversal(draft: Draft, { n, currency }: OpenInvoice): void {
  const { next } = draft;
  mail(draft, 'payment_reversed', {
    step: `${n}.${next.revision}`,
    invoiceN: n,
    facts: { openMinor: sumDueMinor(next.openInvoices, currency) },
  });
}

export function awaitProcessing({ next, payment, processingUntilMs }: Draft): void {
  const { paymentId } = given(payment);
  next.processing = [...(next.processing ?? []), { paymentId, untilMs: given(processingUntilMs) }];
}

export { endProcessing };

/** A full refund makes an invoice `refunded`. Every refund issues a credit note. The term stays granted. */
export function recordRefund(draft: Draft): void {
  applyRefund(draft);
  mailRefund(draft);
}

/** As {@link recordRefund}, without its mail. */
export function applyRefund(draft: Draft): void {
  receiveParts(draft);
  for (const { invoice, isWhole, leftMinor, noteMinor, creditMinor, fields } of draft.refunded) {
    const { n, currency } = invoice;
    const status = isWhole ? ('refunded' as const) : undefined;
    update(draft, { n, ...fields, ...defined({ status }) });
    // The change of plan made it credit of the client: nobody has both.
    if (creditMinor > 0) draft.credits.push({ currency, amountMinor: -creditMinor });
    if (noteMinor === 0) continue;
    reduceCharge(draft.next, n, { amountMinor: noteMinor, leftMinor, atMs: draft.atMs });
    issueCreditNote(draft, { invoice, amountMinor: noteMinor, reason: 'refund' });
  }
}

/** What was refunded of invoices and of the client's credit, in minor units. Of money that waited, no mail has told. */
export function refundMinorOf({ refunded, parts, creditMinor = 0, event }: Draft): number {
  if (event !== 'payment_refunded' && event !== 'payment_returned') return 0;
  const sumOf = (amounts: readonly { amountMinor: number }[]) =>
    amounts.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  // Parts and credit that are taken back are negative.
  return sumOf(refunded) - sumOf(parts) - creditMinor;
}

function mailRefund(draft: Draft): void {
  const { refunded, parts, next } = draft;
  const paymentMinor = refundMinorOf(draft);
  if (paymentMinor <= 0) return;
  const { paymentId, currency } = given(draft.payment);
  mail(draft, 'payment_refunded', {
    step: `${paymentId}.${next.revision}`,
    invoiceN: (refunded[0]?.invoice ?? parts[0])?.n,
    facts: { paymentMinor, currency },
  });
}

/** A subscription that ended unpaid is active again, because its payment was in time, or late within the days of the setting. */
export function revive(draft: Draft): void {
  const { next } = draft;
  const { invoices, startMs } = given(draft.revival);
  for (const field of ['endedAtMs', 'endReason', 'reversedAtEnd'] as const) delete next[field];
  next.openInvoices = invoices.map((invoice) => withReceivedBack(draft, invoice));
  for (const invoice of next.openInvoices) useCredit(draft, invoice);
  if (startMs !== undefined) {
    if (next.termEndMs === undefined && next.trialEndMs === undefined) next.startAtMs = startMs;
    beginTerm(next, startMs);
  }
  settleInvoices(draft);
}

/**
 * An invoice of a subscription that revives. What it had received became credit of the client when it was closed: it comes
 * back as far as it is still there. What was spent elsewhere was first that of the credit that the invoice had used.
 */
function withReceivedBack(draft: Draft, invoice: OpenInvoice): OpenInvoice {
  const {
    n,
    receivedMinor: formerMinor = 0,
    creditUsedMinor: usedMinor = 0,
    currency,
    planOnPayment,
  } = invoice;
  if (planOnPayment === undefined || formerMinor === 0) return invoice;
  // What the invoice asked for beside its total is owed as credit below 0 again.
  const receivedMinor = Math.max(0, Math.min(formerMinor, creditLeft(draft, currency)));
  const spentMinor = formerMinor - receivedMinor;
  const creditUsedMinor = Math.max(0, usedMinor - spentMinor);
  const creditedMinor = Math.max(0, spentMinor - usedMinor);
  if (receivedMinor > 0) draft.credits.push({ currency, amountMinor: -receivedMinor });
  update(draft, {
    n,
    receivedMinor,
    creditUsedMinor,
    ...defined({ creditedMinor: creditedMinor || undefined }),
  });
  return { ...invoice, receivedMinor, creditUsedMinor };
}

/** Opens invoices again whose payment was taken back. Their terms were granted: paying again grants no other one. */
export function reopenInvoices(draft: Draft): void {
  const { next, atMs } = draft;
  const reversed = given(draft.reversed);
  receiveParts(draft);
  if (hasEnded(next.status)) {
    for (const { n, receivedMinor = 0 } of reversed)
      update(draft, { n, status: 'uncollectible', reversed: true, closedAtMs: atMs, receivedMinor });
    if (next.reversedAtEnd !== undefined)
      next.reversedAtEnd = [...next.reversedAtEnd, ...reversed.map(({ n }) => n)];
    return;
  }
  next.openInvoices = [...next.openInvoices, ...reversed];
  for (const { n, receivedMinor } of reversed)
    update(draft, { n, status: 'open', reversed: true, receivedMinor: receivedMinor ?? 0 });
  if (next.status === 'past_due') {
    const fromMs = Math.min(...reversed.map(({ owedFromMs = atMs }) => owedFromMs));
    // The mail below stands for a reminder on the first day, which is today unless the term is still to come.
    const reminders = fromMs > atMs ? 0 : next.policy.reminderDays.filter((day) => day === 0).length;
    next.dunning ??= { fromMs, reminders };
  }
  mailReversal(draft, given(reversed[0]));
}

/** The invoices of a reinstated payment are paid as before the reversal: their terms were granted, and dates stay. */
export function restorePayment(draft: Draft): void {
  const { next, paymentId } = draft;
  const reversed = given(draft.reversed);
  receiveParts(draft);
  const isRestored = ({ n }: Pick<OpenInvoice, 'n'>) => reversed.some((invoice) => invoice.n === n);
  const open = next.openInvoices.filter(isRestored);
  next.openInvoices = next.openInvoices.filter((invoice) => !isRestored(invoice));
  if (next.reversedAtEnd !== undefined)
    next.reversedAtEnd = next.reversedAtEnd.filter((n) => !isRestored({ n }));
  for (const { n, receivedMinor } of reversed)
    update(draft, { n, status: 'paid', reversed: false, ...defined({ paymentId, receivedMinor }) });
  closeCheckouts(draft, open);
  if (hasEnded(next.status)) return;
  dunRest(draft);
  const { n } = given(reversed[0]);
  mail(draft, 'payment_reinstated', { step: `${n}.${next.revision}`, invoiceN: n });
}

/** Dunning is that of the invoices that are left, as if the others had never been owed. It never begins earlier than it did. */
export function dunRest({ next, nowMs }: Draft): void {
  const { dunning, openInvoices, termEndMs = nowMs, policy } = next;
  if (dunning === undefined) return;
  const fromMs = Math.min(
    ...openInvoices.map(({ planOnPayment, dueAtMs = dunning.fromMs, owedFromMs = dueAtMs }) =>
      planOnPayment === undefined ? owedFromMs : termEndMs,
    ),
  );
  if (fromMs <= dunning.fromMs) return;
  const reminders = policy.reminderDays.filter((day) => fromMs + day * dayMs <= nowMs).length;
  next.dunning = { fromMs, reminders };
}
