import { sumDueMinor } from '../../../invoices/due.ts';
import { defined } from '../../../shared/contract/defined.ts';
import type { MailFacts } from '../../record/outbox-entry.ts';
import { termsAt } from '../../record/paid-terms.ts';
import type { EndReason, OpenInvoice, Status } from '../../record/subscription.ts';
import { closeInvoice, creditGained, isGranted, statedCredit } from '../books.ts';
import { type Draft, type DraftOf, mail } from '../draft.ts';
import { applyRefund, refundedMinor } from './payments.ts';

type EndingEvent =
  | 'trial_end'
  | 'payment_lapse'
  | 'term_end'
  | 'cancel'
  | 'supersede'
  | 'replace'
  | 'invoice_credited';

const endReasons: Readonly<Record<EndingEvent, (status: Status) => EndReason>> = {
  supersede: () => 'superseded',
  replace: () => 'replaced',
  cancel: () => 'cancelled',
  trial_end: (status) => (status === 'cancelled' ? 'period_over' : 'trial_over'),
  term_end: (status) => (status === 'cancelled' ? 'period_over' : 'not_renewed'),
  payment_lapse: () => 'unpaid',
  // The first invoice is cancelled: nothing is left to pay for.
  invoice_credited: () => 'cancelled',
};

export function end(draft: DraftOf<EndingEvent>): void {
  const { next, event, atMs } = draft;
  const [term] = termsAt(next, atMs).slice(-1);
  const isPaid = next.openInvoices.every(({ planOnPayment }) => planOnPayment !== undefined);
  const reason = endReasons[event](next.status);
  // A checkout that was abandoned: no mail has named its invoice.
  const isCheckout =
    isNeverBegun(next) && next.gateway !== 'none' && !next.openInvoices.some(({ isMailed }) => isMailed);
  const hasMailedInvoice = next.openInvoices.length > 0 && !isCheckout;
  const owed = endNow(draft, reason);
  // The subscriber has just chosen another subscription: the only news are a void invoice and credit.
  if (reason === 'superseded' || reason === 'replaced') {
    if (hasMailedInvoice || creditGained(draft) !== undefined) mailEnd(draft, 'replaced', owed);
    return;
  }
  // Nothing has ended when a checkout was abandoned.
  if (event === 'payment_lapse' && isCheckout) return;
  const isCutShort =
    event === 'cancel' && isPaid && next.pausedAtMs === undefined && (term?.priceMinor ?? 0) > 0;
  const unusedUntilMs = isCutShort ? term?.untilMs : undefined;
  mailEnd(draft, reason, { ...owed, ...defined({ unusedUntilMs }) });
}

/** The end of dunning. Its invoices are uncollectible: one that is paid or won back later can undo the end. */
export function endUnpaid(draft: Draft): void {
  mailEnd(draft, 'unpaid', endNow(draft, 'unpaid', { otherwise: 'uncollectible' }));
}

/** A refund that ends the subscription. The mail about the end tells of the refund. A change of plan goes back with its term. */
export function refundAndEnd(draft: DraftOf<'payment_refunded'>): void {
  applyRefund(draft);
  const { next, atMs } = draft;
  const isOfPast = ({ n }: OpenInvoice) => next.charges.every((one) => one.n !== n || one.untilMs <= atMs);
  const owed = endNow(draft, 'cancelled', { isOwed: isOfPast });
  mailEnd(draft, 'cancelled', { ...owed, ...defined({ paymentMinor: refundedMinor(draft) || undefined }) });
}

/** No payment makes it active again. Its end stays as it was, and so do its invoices. The mail about it was sent. */
export function ruleOutRevival(): void {
  // Its new state does.
}

interface Closing {
  /** Which of those of granted terms are owed. */
  readonly isOwed?: (invoice: OpenInvoice) => boolean;
  readonly otherwise?: 'void' | 'uncollectible';
}

/**
 * Ends the subscription, and closes its open invoices. A term that was granted stays owed, and nobody owes one that
 * never began.
 *
 * @returns the facts of the mail about it.
 */
function endNow(
  draft: Draft,
  endReason: EndReason,
  { isOwed = () => true, otherwise = 'void' }: Closing = {},
): EndFacts {
  const { next, atMs } = draft;
  const { openInvoices, plan } = next;
  const owed = openInvoices.filter((invoice) => isGranted(invoice, atMs) && isOwed(invoice));
  const isNextTermInvoiced = openInvoices.some((invoice) => !isGranted(invoice, atMs));
  const facts = defined({
    owedMinor: sumDueMinor(owed, plan.currency) || undefined,
    isNextTermInvoiced: (owed.length > 0 && isNextTermInvoiced) || undefined,
    isPartlyPaid: openInvoices.some(({ parts = [] }) => parts.length > 0) || undefined,
  });
  for (const invoice of openInvoices)
    closeInvoice(draft, invoice.n, owed.includes(invoice) ? 'uncollectible' : otherwise);
  Object.assign(next, { debts: owed.map(({ n }) => n), endedAtMs: atMs, endReason });
  return facts;
}

const isNeverBegun = ({ trialStartMs, termStartMs }: Draft['next']) =>
  trialStartMs === undefined && termStartMs === undefined;

type EndFacts = Pick<
  MailFacts,
  'paymentMinor' | 'unusedUntilMs' | 'owedMinor' | 'isNextTermInvoiced' | 'isPartlyPaid'
>;

function mailEnd(draft: Draft, reason: Exclude<EndReason, 'superseded'>, more: EndFacts): void {
  const { next, atMs } = draft;
  const { currency } = next.plan;
  const creditMinor = creditGained(draft);
  const byStatus = next.status === 'cancelled' ? 'cancelled' : 'expired';
  mail(draft, reason === 'trial_over' ? 'trial_ended' : byStatus, {
    // A subscription that revives can end again.
    step: next.revision,
    facts: {
      endedAtMs: atMs,
      reason,
      ...defined({
        isNeverBegun: isNeverBegun(next) || undefined,
        creditMinor,
        balanceMinor: statedCredit(draft, { currency, ...defined({ creditMinor }) }),
      }),
      ...more,
    },
  });
}
