/** The terms that a subscription is granted: the next one begins where the last one ends. */

import { dueMinor } from '../../invoices/due.ts';
import type { PlanSnapshot } from '../../invoices/invoice.ts';
import { waived } from '../../ledger/entry.ts';
import { defined } from '../../shared/contract/defined.ts';
import type { MailFacts } from '../record/outbox-entry.ts';
import { recordTerm, reduceByCreditNotes } from '../record/paid-terms.ts';
import type { OpenInvoice, SubscriptionFields } from '../record/subscription.ts';
import { type Anchor, endOfTerm } from '../record/term.ts';
import { book, causeOf, overpaidMinor, receivedMinor, receiveMoney } from './books.ts';
import { closeCheckouts, type Draft, type DraftOf, mail, update } from './draft.ts';

/** Begins the terms of a subscription at a time. The first one is granted when its invoice is paid. */
export function beginTerm(next: SubscriptionFields, startMs: number): void {
  delete next.billingAnchor;
  next.termEndMs = startMs;
}

/**
 * Marks invoices as paid, and grants the term of each from the end of the term before.
 *
 * @param paymentId the gateway's id of the payment, if there is one.
 * @returns the invoices that were open.
 */
export function settleInvoices(draft: Draft, paid: readonly number[], paymentId?: string): OpenInvoice[] {
  const { next, atMs } = draft;
  const isPaid = ({ n }: OpenInvoice) => paid.includes(n);
  for (const invoice of next.openInvoices.filter(isPaid)) writeOff(draft, invoice);
  const settled = next.openInvoices.filter(isPaid);
  next.openInvoices = next.openInvoices.filter((invoice) => !isPaid(invoice));
  for (const invoice of settled) {
    const { n, planOnPayment } = invoice;
    if (planOnPayment !== undefined) {
      const before = { ...next };
      extend(next, planOnPayment);
      recordTerm(next, before, { n, atMs });
      reduceByCreditNotes(next, invoice, atMs);
    }
    const { termStartMs = atMs, termEndMs = atMs } = next;
    const period = planOnPayment && { periodStartMs: termStartMs, periodEndMs: termEndMs };
    update(draft, { n, status: 'paid', paidAtMs: atMs, ...defined({ paymentId }), ...period });
  }
  // Paid outside Stripe: an open checkout would let the subscriber pay twice.
  if (draft.by === 'application') closeCheckouts(draft, settled);
  return settled;
}

/** Banks deduct fees: a small amount that is missing from a paid invoice is given up. */
function writeOff(draft: Draft, invoice: OpenInvoice): void {
  book(draft, waived('write_off', invoice, dueMinor(invoice)));
}

/** Settles invoices that the client's credit pays, or that are free. A mail brings what credit paid. */
export function settleFromCredit(
  draft: Draft,
  ns: readonly number[],
  told: { plan?: PlanSnapshot; facts?: Partial<MailFacts> } = {},
): void {
  const last = settleInvoices(draft, ns).at(-1);
  if (last === undefined || last.totalMinor === 0) return;
  const { n, currency, settled } = last;
  const facts = { ...told.facts, paymentMinor: settled?.fromCreditMinor ?? 0, currency };
  mail(draft, 'paid_from_credit', { ...told, step: n, invoiceN: n, facts });
}

/** Settles invoices by a payment. A mail confirms it. */
export function payInvoices(
  draft: DraftOf<'payment' | 'payment_revived' | 'payment_reinstated'>,
  paid: readonly number[],
): void {
  receiveMoney(draft);
  const settled = settleInvoices(draft, paid, draft.paymentId);
  const { next, nowMs } = draft;
  const isReinstated = draft.event === 'payment_reinstated';
  if (isReinstated || (draft.event === 'payment' && draft.isSandbox)) closeCheckouts(draft, settled);
  if (isReinstated) for (const { n } of settled) update(draft, { n, reversed: false });
  const last = settled.at(-1);
  // The term of a free plan is not a payment and sends no confirmation.
  if (last !== undefined && last.totalMinor > 0) {
    // The mail about a dispute that was won is of that cause alone.
    const cause = isReinstated ? undefined : causeOf(draft);
    const paymentMinor = cause === undefined ? undefined : receivedMinor(draft);
    mail(draft, isReinstated ? 'payment_reinstated' : 'activated', {
      step: `${last.n}.${next.revision}`,
      invoiceN: last.n,
      facts: defined({ creditMinor: overpaidMinor(draft), paymentMinor, cause }),
    });
  }
  if (draft.event !== 'payment' || !draft.isActivation) return;
  const { status, invoiceCount: n, termEndMs } = next;
  next.lastActivation = { atMs: nowMs, n, status, ...defined({ termEndMs }) };
}

function extend(next: SubscriptionFields, plan: PlanSnapshot): void {
  const { termEndMs = 0 } = next;
  const billingAnchor = anchorFor(next, plan);
  const termIndex = billingAnchor === next.billingAnchor ? (next.termIndex ?? 0) + 1 : 1;
  next.termStartMs = termEndMs;
  next.termEndMs = endOfTerm(billingAnchor, termIndex);
  Object.assign(next, {
    billingAnchor,
    termIndex,
    plan,
    renewalInvoiced: false,
  } satisfies Partial<SubscriptionFields>);
  delete next.plannedChange;
}

/** The end of the next term, if it is sold under this plan. */
export function endAfter(next: SubscriptionFields, plan: PlanSnapshot): number {
  const billingAnchor = anchorFor(next, plan);
  return endOfTerm(billingAnchor, billingAnchor === next.billingAnchor ? (next.termIndex ?? 0) + 1 : 1);
}

/** A plan of another billing cycle gets a new anchor: the end of the current term. */
function anchorFor(
  { billingAnchor, termEndMs = 0 }: SubscriptionFields,
  { billingCycle }: PlanSnapshot,
): Anchor {
  return billingAnchor?.cycle === billingCycle ? billingAnchor : { atMs: termEndMs, cycle: billingCycle };
}
