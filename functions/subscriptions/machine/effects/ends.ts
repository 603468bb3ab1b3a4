/** The effects that end a subscription. */
import { sumDueMinor } from '../../../invoices/due.ts';
import { defined } from '../../../shared/contract/defined.ts';
import type { MailFacts } from '../../record/outbox-entry.ts';
import { termsAt } from '../../record/paid-terms.ts';
import type { EndReason, Status } from '../../record/subscription.ts';
import { closeInvoice, creditGained, statedCredit } from '../books.ts';
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

/** Why each event ends a subscription. */
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
  const partly = isPartlyPaid(draft);
  closeOpenInvoices(draft, 'void');
  endNow(draft, reason);
  // The subscriber has just chosen another subscription: the only news are a void invoice and credit.
  if (reason === 'superseded' || reason === 'replaced') {
    if (hasMailedInvoice || creditGained(draft) !== undefined) mailEnd(draft, 'replaced');
    return;
  }
  // Nothing has ended when a checkout was abandoned.
  if (event === 'payment_lapse' && isCheckout) return;
  const isCutShort =
    event === 'cancel' && isPaid && next.pausedAtMs === undefined && (term?.priceMinor ?? 0) > 0;
  const unusedUntilMs = isCutShort ? term?.untilMs : undefined;
  mailEnd(draft, reason, defined({ unusedUntilMs, isPartlyPaid: partly }));
}

/** The end of dunning. Its invoices are uncollectible: one that is paid or won back later can undo the end. */
export function endUnpaid(draft: Draft): void {
  const { next } = draft;
  const { openInvoices } = next;
  const granted = openInvoices.filter(({ planOnPayment }) => planOnPayment === undefined);
  const debts = granted.map(({ n }) => n);
  const owed = {
    owedMinor: sumDueMinor(granted, next.plan.currency) || undefined,
    isNextTermInvoiced: granted.length < openInvoices.length || undefined,
    isPartlyPaid: isPartlyPaid(draft),
  };
  closeOpenInvoices(draft, 'uncollectible');
  endNow(draft, 'unpaid', debts);
  mailEnd(draft, 'unpaid', defined(owed));
}

/** A refund that ends the subscription. The mail about the end tells of the refund. */
export function refundAndEnd(draft: DraftOf<'payment_refunded'>): void {
  applyRefund(draft);
  closeOpenInvoices(draft, 'void');
  endNow(draft, 'cancelled');
  const paymentMinor = refundedMinor(draft);
  mailEnd(draft, 'cancelled', defined({ paymentMinor: paymentMinor || undefined }));
}

/** No payment makes it active again. Its end stays as it was, and so do its invoices. The mail about it was sent. */
export function ruleOutRevival(): void {
  // Its new state does.
}

function endNow({ next, atMs }: Draft, endReason: EndReason, debts: readonly number[] = []): void {
  next.debts = debts;
  next.endedAtMs = atMs;
  next.endReason = endReason;
}

const isPartlyPaid = ({ next }: Draft) =>
  next.openInvoices.some(({ parts = [] }) => parts.length > 0) || undefined;

const isNeverBegun = ({ trialStartMs, termStartMs }: Draft['next']) =>
  trialStartMs === undefined && termStartMs === undefined;

function mailEnd(
  draft: Draft,
  reason: Exclude<EndReason, 'superseded'>,
  more: Pick<
    MailFacts,
    'paymentMinor' | 'unusedUntilMs' | 'owedMinor' | 'isNextTermInvoiced' | 'isPartlyPaid'
  > = {},
): void {
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

function closeOpenInvoices(draft: Draft, status: 'void' | 'uncollectible'): void {
  for (const { n } of draft.next.openInvoices) closeInvoice(draft, n, status);
}
