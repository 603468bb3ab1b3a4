/** The effects of payments, other than to pay invoices in full: see granted-term.ts for those. */

import { sumDueMinor } from '../../../invoices/due.ts';
import type { Invoice } from '../../../invoices/invoice.ts';
import { creditedMinor, postedMinor, waived } from '../../../ledger/entry.ts';
import { givenUpMinor, keptMinor, reopened, settledAfter, takenFromCredit } from '../../../ledger/settled.ts';
import { defined } from '../../../shared/contract/defined.ts';
import { dayMs } from '../../../shared/runtime/clock.ts';
import type { MailFacts } from '../../record/outbox-entry.ts';
import { reduceByCreditNotes, reduceCharge } from '../../record/paid-terms.ts';
import type { OpenInvoice } from '../../record/subscription.ts';
import {
  book,
  causeOf,
  closeInvoice,
  creditLeft,
  dueAfter,
  endProcessing,
  isGranted,
  overpaidMinor,
  receivedMinor,
  receiveMoney,
  useCredit,
} from '../books.ts';
import { issueCreditNote, reissue } from '../documents.ts';
import { closeCheckouts, type Draft, type DraftOf, mail, update } from '../draft.ts';
import type { ReceivedMoney, RefundedInvoice } from '../event.ts';
import { beginTerm, payInvoices } from '../granted-term.ts';

/** A part of an invoice was paid: the rest is due. An open checkout asks for the whole amount, so it is closed. */
export function recordPartialPayment(draft: DraftOf<'partial_payment'>): void {
  const { next, payment } = draft;
  const [first] = receiveParts(draft);
  if (first === undefined) return;
  const { paymentId } = payment;
  mail(draft, 'partial_payment', {
    // A payment that was disputed and came back can be applied in part once more.
    step: `${paymentId}.${next.revision}`,
    invoiceN: first.n,
    facts: {
      paymentMinor: receivedMinor(draft),
      openMinor: sumDueMinor(next.openInvoices, first.currency),
      ...defined({ cause: causeOf(draft) }),
    },
  });
}

/** A payment became credit of the client, which the next invoice uses. */
export function recordCredit(draft: DraftOf<'payment_credited'>): void {
  receiveMoney(draft);
  const { paymentId, currency } = draft.payment;
  const paymentMinor = creditedMinor(draft.books, currency);
  // It pays a debt of the client first.
  const creditMinor = Math.min(paymentMinor, Math.max(0, creditLeft(draft, currency)));
  mail(draft, 'payment_credited', {
    step: `${paymentId}.${draft.next.revision}`,
    facts: { paymentMinor, currency, creditMinor, ...defined({ cause: causeOf(draft) }) },
  });
}

/** A payment pays invoices that were given up. A mail tells it. */
export function payDebts(draft: DraftOf<'debt_paid' | 'payment_reinstated'>): void {
  const { next, paid, paymentId, payment, atMs } = draft;
  receiveMoney(draft);
  next.debts = (next.debts ?? []).filter((n) => !paid.includes(n));
  const wasReversed = draft.event === 'payment_reinstated' ? { reversed: false } : {};
  for (const n of paid)
    update(draft, { n, status: 'paid', paidAtMs: atMs, ...defined({ paymentId }), ...wasReversed });
  const { currency } = payment;
  mail(draft, 'debt_paid', {
    step: `${payment.paymentId}.${next.revision}`,
    facts: {
      paymentMinor: receivedMinor(draft),
      currency,
      ...defined({ creditMinor: overpaidMinor(draft), cause: causeOf(draft) }),
    },
  });
}

/** The seller sent money back. A mail tells it, but for money that waited: no mail has told of that. */
export function returnMoney(draft: DraftOf<'payment_returned'>): void {
  receiveMoney(draft);
  mailRefund(draft, undefined);
}

/** The seller sent credit back. A mail tells it. */
export function payOutCredit(draft: DraftOf<'credit_paid_out'>): void {
  book(draft, ...draft.booked);
  const { amountMinor, currency } = draft.paidOut;
  mail(draft, 'payment_refunded', {
    step: `credit.${draft.next.revision}`,
    facts: { paymentMinor: amountMinor, creditMinor: -amountMinor, currency },
  });
}

/** A part of an invoice, or credit, was taken back. A mail tells it. */
export function reverseParts(draft: DraftOf<'part_reversed'>): void {
  mailReversal(draft, receiveParts(draft)[0]?.n);
}

/** @returns the open invoices that received a part, or of which a part was taken. */
function receiveParts(draft: DraftOf<'partial_payment' | 'part_reversed'>): OpenInvoice[] {
  receiveMoney(draft);
  const ns = invoicesOf(draft);
  const touched = draft.next.openInvoices.filter(({ n }) => ns.includes(n));
  closeCheckouts(draft, touched);
  return touched;
}

const invoicesOf = ({ booked }: ReceivedMoney): number[] =>
  booked
    .flatMap(({ postings }) => postings)
    .flatMap((posting) => (posting.account === 'receivable' ? [posting.n] : []));

/**
 * Says that money was taken back, or that the seller allocated it elsewhere, what is due or owed now, and what was taken of credit.
 * A void invoice that lost what it had kept is named for the document of that alone: such a mail is dropped without one.
 *
 * @param openN an invoice that is due.
 */
function mailReversal(draft: Draft & ReceivedMoney, openN?: number): void {
  const { next, booked, isStated, payment } = draft;
  const { currency, paymentId } = payment;
  const ns = invoicesOf(draft);
  const dueN = openN ?? ns.find((n) => next.debts?.includes(n));
  // The amounts of a mail are in the currency of the plan, and so is the next invoice.
  const taken = dueN === undefined || currency === next.plan.currency ? movedCredit(draft, currency) : {};
  const invoiceN = dueN ?? (taken.creditMinor === undefined ? ns[0] : undefined);
  if (invoiceN === undefined && taken.creditMinor === undefined) return;
  mail(draft, booked[0]?.kind === 'allocation' ? 'payment_moved' : 'payment_reversed', {
    step: `${invoiceN ?? paymentId}.${next.revision}`,
    invoiceN,
    facts: {
      ...defined({ openMinor: openN && sumDueMinor(next.openInvoices, currency) }),
      ...taken,
      ...defined({ currency: dueN === undefined ? currency : undefined, isStated }),
    },
  });
}

export function awaitProcessing(draft: DraftOf<'payment_processing'>): void {
  const { next, payment, processingUntilMs: untilMs } = draft;
  next.processing = [...next.processing, { paymentId: payment.paymentId, untilMs }];
}

export { endProcessing };

/** It waits for the seller, and the subscription does not wait for it. */
export function recordUnapplied(draft: DraftOf<'payment_unapplied'>): void {
  receiveMoney(draft);
}

/** A full refund makes an invoice `refunded`. Every refund issues a credit note. The term stays granted. */
export function recordRefund(draft: DraftOf<'payment_refunded'>): void {
  applyRefund(draft);
  mailRefund(draft, draft.refunded[0]?.invoice.n ?? partsOf(draft)[0]?.n);
}

/** As {@link recordRefund}, without its mail. */
export function applyRefund(draft: DraftOf<'payment_refunded'>): void {
  receiveMoney(draft);
  for (const one of draft.refunded) refundInvoice(draft, one);
}

/** Credits what was refunded of an invoice. The last refund credits it to its end. */
function refundInvoice(draft: DraftOf<'payment_refunded'>, { invoice, amountMinor }: RefundedInvoice): void {
  const { n, totalMinor, currency } = invoice;
  const settledNow = settledAfter(invoice.settled, n, draft.books) ?? {};
  const { creditNotedMinor = 0 } = settledNow;
  const isUnpaid = keptMinor(settledNow) <= 0;
  const openMinor = totalMinor - creditNotedMinor - givenUpMinor(settledNow);
  const noteMinor = isUnpaid ? openMinor : Math.min(amountMinor, openMinor);
  const leftMinor = openMinor - noteMinor;
  const isWhole = isUnpaid && leftMinor === 0;
  update(draft, { n, ...defined({ status: isWhole ? ('refunded' as const) : undefined }) });
  if (noteMinor > 0) {
    issueCreditNote(draft, { invoice, amountMinor: noteMinor, reason: 'refund' });
    reduceCharge(draft.next, n, { amountMinor: noteMinor, leftMinor, atMs: draft.atMs });
  }
  // A change of plan made it credit of the client, or it paid a debt of theirs: nobody has both.
  const settled = settledAfter(invoice.settled, n, draft.books);
  book(draft, ...takenFromCredit({ n, currency, settled }, dueAfter(draft, invoice)));
}

/**
 * The amount that was taken of invoices and of the client's credit, in minor units. No mail has told of money that waited. An invoice
 * that is closed owes nothing after it: the entry of that does not count.
 */
export function refundedMinor({ booked, payment }: DraftOf<'payment_refunded' | 'payment_returned'>): number {
  return postedMinor(
    booked,
    payment.currency,
    ({ account }, { kind }) =>
      (kind === 'refund' || kind === 'pay_out') && (account === 'receivable' || account === 'credit'),
  );
}

const partsOf = ({ booked }: DraftOf<'payment_refunded'>) =>
  booked.flatMap(({ postings }) => postings).filter((posting) => posting.account === 'receivable');

function mailRefund(
  draft: DraftOf<'payment_refunded' | 'payment_returned'>,
  invoiceN: number | undefined,
): void {
  const paymentMinor = refundedMinor(draft);
  if (paymentMinor <= 0) return;
  const { paymentId, currency } = draft.payment;
  mail(draft, 'payment_refunded', {
    step: `${paymentId}.${draft.next.revision}`,
    invoiceN,
    facts: { paymentMinor, currency, ...movedCredit(draft, currency) },
  });
}

/** The credit that a change moves, and what the client owes after it, for its mail. */
function movedCredit(draft: Draft, currency: string): Pick<MailFacts, 'creditMinor' | 'balanceMinor'> {
  const creditMinor = creditedMinor(draft.books, currency);
  if (creditMinor === 0) return {};
  const balanceMinor = creditLeft(draft, currency);
  return defined({ creditMinor, balanceMinor: balanceMinor < 0 ? balanceMinor : undefined });
}

/** A subscription that ended unpaid is active again, because its payment was in time, or late within the days of the setting. */
export function revive(draft: DraftOf<'payment_revived'>): void {
  const { next } = draft;
  const { invoices, reissued, startMs } = draft.revival;
  for (const invoice of invoices) {
    const again = reissued.find(({ n }) => n === invoice.n);
    if (again === undefined) reopenClosed(draft, invoice);
    else {
      cancelClosed(draft, again.former);
      reissue(draft, again.former, invoice);
    }
  }
  // Those that stay closed: another renewal invoice is issued.
  next.renewalInvoiced = false;
  next.debts = [];
  if (startMs !== undefined) {
    if (next.termEndMs === undefined && next.trialEndMs === undefined) next.startAtMs = startMs;
    beginTerm(next, startMs);
  }
  payInvoices(draft, draft.paid);
  // A change of plan credits no more of the term than what it cost.
  for (const { n, former } of reissued) reduceByCreditNotes(next, { ...former, n }, draft.atMs);
}

/** Opens a closed invoice again, as it was, and uses the credit of the client for it. */
function reopenClosed(draft: Draft, invoice: OpenInvoice): void {
  const { n } = invoice;
  draft.next.openInvoices = [...draft.next.openInvoices, invoice];
  book(draft, ...reopened(invoice));
  useCredit(draft, n);
}

/** Cancels an invoice that was given up: its document states a term that is not granted. A void one is cancelled already. */
function cancelClosed(draft: Draft, former: Invoice): void {
  if (former.status === 'void') return;
  const { n, currency, settled } = former;
  update(draft, { n, status: 'void', closedAtMs: draft.atMs });
  book(draft, ...reopened(former), waived('cancellation', { n, currency }, givenUpMinor(settled)));
}

/** Opens invoices again whose payment was taken back. Their terms were granted: paying again grants no other one. */
export function reopenInvoices(draft: DraftOf<'payment_reversed'>): void {
  const { next, atMs, reversed } = draft;
  receiveMoney(draft);
  next.openInvoices = [...next.openInvoices, ...reversed];
  for (const { n } of reversed) update(draft, { n, status: 'open', reversed: true });
  // Only a subscription that has ended has debts.
  if (next.debts !== undefined) {
    const owed = reversed.filter((invoice) => isGranted(invoice, atMs));
    for (const invoice of reversed)
      closeInvoice(draft, invoice.n, owed.includes(invoice) ? 'uncollectible' : 'void');
    next.debts = [...next.debts, ...owed.map(({ n }) => n)];
  } else if (next.status === 'past_due') {
    const fromMs = Math.min(...reversed.map(({ owedFromMs = atMs }) => owedFromMs));
    // The mail below stands for a reminder on the first day, which is today unless the term is still to come.
    const reminders = fromMs > atMs ? 0 : next.policy.reminderDays.filter((day) => day === 0).length;
    next.dunning ??= { fromMs, reminders };
  }
  mailReversal(draft, next.openInvoices.find(({ n }) => n === reversed[0].n)?.n);
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
