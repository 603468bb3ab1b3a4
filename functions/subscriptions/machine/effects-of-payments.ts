/** The effects of payments, other than to pay invoices in full: see granted-term.ts for those. */

import { sumDueMinor } from '../../invoices/due.ts';
import { defined } from '../../shared/contract/defined.ts';
import { dayMs } from '../../shared/runtime/duration.ts';
import { reduceCharge } from '../record/paid-terms.ts';
import { hasEnded, type OpenInvoice } from '../record/subscription.ts';
import { issueCreditNote } from './credit-note.ts';
import { closeCheckouts, creditLeft, type Draft, type DraftOf, mail, update, useCredit } from './draft.ts';
import { beginTerm, payInvoices } from './granted-term.ts';
import { endProcessing, receiveMoney } from './received-money.ts';

/** A part of an invoice was paid: the rest is due. An open checkout asks for the whole amount, so it is closed. */
export function recordPartialPayment(draft: DraftOf<'partial_payment'>): void {
  const { next, parts, payment } = draft;
  receiveMoney(draft);
  const touched = next.openInvoices.filter(({ n }) => parts.some((part) => part.n === n));
  closeCheckouts(draft, touched);
  const [first] = touched;
  if (first === undefined) return;
  const { paymentId, amountMinor } = payment;
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
export function recordCredit(draft: DraftOf<'payment_credited'>): void {
  receiveMoney(draft);
  const { creditMinor } = draft;
  if (creditMinor <= 0) return;
  const { paymentId, currency } = draft.payment;
  mail(draft, 'payment_credited', {
    step: `${paymentId}.${draft.next.revision}`,
    facts: { paymentMinor: creditMinor, currency },
  });
}

/** The seller sent money back. A mail tells it. */
export function returnMoney(draft: DraftOf<'payment_returned'>): void {
  takeParts(draft);
  mailRefund(draft, -sumOf(draft.parts) - draft.creditMinor, draft.parts[0]?.n);
}

/** A part of an open invoice was taken back. A mail tells it. */
export function reverseParts(draft: DraftOf<'part_reversed'>): void {
  const [first] = takeParts(draft);
  if (first !== undefined) mailReversal(draft, first);
}

/** Takes parts of open invoices. @returns these invoices. */
function takeParts(draft: DraftOf<'payment_returned' | 'part_reversed'>): OpenInvoice[] {
  receiveMoney(draft);
  const { next, parts } = draft;
  const lessPaid = next.openInvoices.filter(({ n }) => parts.some((part) => part.n === n));
  closeCheckouts(draft, lessPaid);
  return lessPaid;
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

export function awaitProcessing(draft: DraftOf<'payment_processing'>): void {
  const { next, payment, processingUntilMs: untilMs } = draft;
  next.processing = [...next.processing, { paymentId: payment.paymentId, untilMs }];
}

export { endProcessing };

/** It waits for the seller, and the subscription does not wait for it. */
export function recordUnapplied(draft: DraftOf<'payment_unapplied'>): void {
  endProcessing(draft);
}

/** A full refund makes an invoice `refunded`. Every refund issues a credit note. The term stays granted. */
export function recordRefund(draft: DraftOf<'payment_refunded'>): void {
  applyRefund(draft);
  mailRefund(draft, refundedMinor(draft), (draft.refunded[0]?.invoice ?? draft.parts[0])?.n);
}

/** As {@link recordRefund}, without its mail. */
export function applyRefund(draft: DraftOf<'payment_refunded'>): void {
  receiveMoney(draft);
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

/** The amount that was refunded of invoices and of the client's credit, in minor units. No mail has told of money that waited. */
export function refundedMinor({ refunded, parts, creditMinor }: DraftOf<'payment_refunded'>): number {
  // Parts and credit that are taken back are negative.
  return sumOf(refunded) - sumOf(parts) - creditMinor;
}

const sumOf = (amounts: readonly { amountMinor: number }[]) =>
  amounts.reduce((sum, { amountMinor }) => sum + amountMinor, 0);

function mailRefund(
  draft: DraftOf<'payment_refunded' | 'payment_returned'>,
  paymentMinor: number,
  invoiceN: number | undefined,
): void {
  if (paymentMinor <= 0) return;
  const { paymentId, currency } = draft.payment;
  mail(draft, 'payment_refunded', {
    step: `${paymentId}.${draft.next.revision}`,
    invoiceN,
    facts: { paymentMinor, currency },
  });
}

/** A subscription that ended unpaid is active again, because its payment was in time, or late within the days of the setting. */
export function revive(draft: DraftOf<'payment_revived'>): void {
  const { next } = draft;
  const { invoices, startMs } = draft.revival;
  next.openInvoices = invoices.map((invoice) => withReceivedBack(draft, invoice));
  for (const invoice of next.openInvoices) useCredit(draft, invoice);
  if (startMs !== undefined) {
    if (next.termEndMs === undefined && next.trialEndMs === undefined) next.startAtMs = startMs;
    beginTerm(next, startMs);
  }
  payInvoices(draft, draft.paid);
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
  // The debt that the invoice asked for beside its total is credit below 0 again.
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
export function reopenInvoices(draft: DraftOf<'payment_reversed'>): void {
  const { next, atMs, reversed } = draft;
  receiveMoney(draft);
  const { reversedAtEnd } = next;
  // Only a subscription that has ended has them.
  if (reversedAtEnd !== undefined) {
    for (const { n, receivedMinor = 0 } of reversed)
      update(draft, { n, status: 'uncollectible', reversed: true, closedAtMs: atMs, receivedMinor });
    next.reversedAtEnd = [...reversedAtEnd, ...reversed.map(({ n }) => n)];
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
  mailReversal(draft, reversed[0]);
}

/** The invoices of a reinstated payment are paid as before the reversal: their terms were granted, and dates stay. */
export function restorePayment(draft: DraftOf<'payment_reinstated'>): void {
  const { next, paymentId, reversed } = draft;
  receiveMoney(draft);
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
  const { n } = reversed[0];
  mail(draft, 'payment_reinstated', { step: `${n}.${next.revision}`, invoiceN: n });
}

export function restoreSubscription(draft: DraftOf<'payment_reinstated'>): void {
  const { next } = draft;
  // The renewal invoice was closed with the subscription: another one is issued.
  next.renewalInvoiced = false;
  restorePayment(draft);
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
