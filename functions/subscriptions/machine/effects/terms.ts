import { dueMinor, sumDueMinor } from '../../../invoices/due.ts';
import { dayMs, minuteMs } from '../../../shared/runtime/clock.ts';
import { paymentDeadlineDays } from '../../record/next-step.ts';
import { issue } from '../documents.ts';
import { type Draft, type DraftOf, mail } from '../draft.ts';
import { beginFirstTerm, firstTermAhead } from '../first-term.ts';
import { beginTerm, endAfter, payInvoices, settleFromCredit } from '../granted-term.ts';
import { firstTermOf } from '../moved-end.ts';
import { dunRest } from './payments.ts';
import { formerPrice, isPriced } from './plan-changes.ts';

export function beginTrial({ next, trial }: DraftOf<'start'>): void {
  next.trialReminderSent = false;
  next.trialStartMs = next.startAtMs;
  next.trialEndMs = next.startAtMs + trial.days * dayMs;
}

export function awaitPayment(draft: DraftOf<'start'>): void {
  const { next, nowMs } = draft;
  const { plan, policy, gateway } = next;
  const byTransfer = gateway === 'none';
  const dueAtMs = byTransfer ? nowMs + policy.dueDays * dayMs : nowMs + policy.checkoutMinutes * minuteMs;
  next.paymentReminderSent = false;
  next.paymentDeadlineMs = byTransfer ? dueAtMs + paymentDeadlineDays * dayMs : dueAtMs;
  const { n } = issue(draft, { plan, ...firstTermAhead(draft), dueAtMs });
  // With a gateway, the subscriber is sent to the payment page instead.
  if (byTransfer) mail(draft, 'invoice', { step: n, invoiceN: n });
}

export function beginFreeTerm(draft: DraftOf<'start'>): void {
  const { next, nowMs } = draft;
  const { n } = issue(draft, { plan: next.plan, dueAtMs: nowMs });
  beginFirstTerm(draft);
  settleFromCredit(draft, [n]);
}

export function beginPaidTerm(draft: DraftOf<'payment'>): void {
  beginFirstTerm(draft);
  payInvoices(draft, draft.paid);
}

export function beginTermAfterTrial(draft: DraftOf<'payment', 'trialing'>): void {
  const { before, next, paid } = draft;
  const { trialEndMs: startMs } = before;
  // A payment can arrive before the invoice of the first term was issued: the invoice is issued and paid at once.
  const ns = next.openInvoices.length === 0 ? [issueFirst(draft, startMs)] : paid;
  beginTerm(next, startMs);
  payInvoices(draft, ns);
}

/** The trial of a free plan, and one that the client's credit covers, ends without a payment. */
export function beginCoveredTerm(draft: Draft<'trialing'>): void {
  const { before, next } = draft;
  const { trialEndMs: startMs } = before;
  const open = next.openInvoices.map(({ n }) => n);
  const ns = open.length === 0 ? [issueFirst(draft, startMs)] : open;
  beginTerm(next, startMs);
  settleFromCredit(draft, ns);
}

const issueFirst = (draft: Draft, dueAtMs: number) => issue(draft, { plan: draft.next.plan, dueAtMs }).n;

export function continueTerm(draft: DraftOf<'payment' | 'payment_reinstated'>): void {
  payInvoices(draft, draft.paid);
}

export function payPartOfArrears(draft: DraftOf<'payment' | 'payment_reinstated', 'past_due'>): void {
  payInvoices(draft, draft.paid);
  dunRest(draft);
}

export function issueTrialInvoice(draft: Draft<'trialing'>): void {
  const { before, next, nowMs } = draft;
  const { plan, trialEndMs } = before;
  next.trialReminderSent = true;
  // A free plan goes on after its trial, without an invoice to pay.
  if (plan.priceMinor === 0) return;
  // After an extension of the trial, its invoice exists, and this is a further reminder.
  const [issued] = next.openInvoices;
  const invoice = issued ?? issue(draft, { plan, ...firstTermOf(next, trialEndMs) });
  const { n } = invoice;
  // A late reminder would arrive after the end of the trial.
  if (trialEndMs > nowMs && dueMinor(invoice) > 0)
    mail(draft, 'trial_reminder', { invoiceN: n, step: next.revision });
}

export function sendPaymentReminder(draft: Draft<'pending'>): void {
  const { before, next, nowMs } = draft;
  next.paymentReminderSent = true;
  const [first] = next.openInvoices;
  const { paymentDeadlineMs: endsMs } = before;
  // A late reminder would arrive after the deadline.
  if (first === undefined || endsMs <= nowMs) return;
  const { n } = first;
  mail(draft, 'payment_reminder', { step: n, invoiceN: n, facts: { startsUntilMs: endsMs } });
}

export function issueRenewalInvoice(draft: DraftOf<'renewal_invoice', 'active'>): void {
  const { before, next, renewal } = draft;
  const { termEndMs } = before;
  const { plan, ...settings } = renewal ?? { plan: next.plan };
  Object.assign(next, settings);
  next.renewalInvoiced = true;
  const invoice = issue(draft, {
    plan,
    dueAtMs: termEndMs,
    periodStartMs: termEndMs,
    periodEndMs: endAfter(next, plan),
  });
  const { n } = invoice;
  // A change that the client asked for was mailed then.
  const sold = before.plannedChange ?? before.plan;
  const facts = isPriced(sold, plan) ? { ...formerPrice(draft, sold), changesAtMs: termEndMs } : {};
  // A free plan, or one that the client's credit covers, renews without a payment.
  if (dueMinor(invoice) > 0) {
    mail(draft, 'renewal', { step: n, invoiceN: n, plan, facts });
    return;
  }
  settleFromCredit(draft, [n], { plan, facts });
}

export function sendDunningReminder(draft: Draft<'past_due'>): void {
  const { before, next, nowMs } = draft;
  const { policy, openInvoices, dunning } = before;
  const [first] = openInvoices;
  if (first === undefined) return;
  const { fromMs } = dunning;
  const { n, currency } = first;
  const reminders = dunning.reminders + 1;
  next.dunning = { fromMs, reminders };
  const endsMs = fromMs + policy.endsAfterDays * dayMs;
  const nextDay = policy.reminderDays[reminders];
  // When the step runs so late that the next one is due too, one mail is enough.
  if ((nextDay === undefined ? endsMs : fromMs + nextDay * dayMs) <= nowMs) return;
  mail(draft, 'dunning_reminder', {
    step: `${fromMs}.${reminders}.${next.revision}`,
    invoiceN: n,
    facts: {
      openMinor: sumDueMinor(openInvoices, currency),
      reminder: {
        index: reminders,
        of: policy.reminderDays.length,
        graceEndsMs: fromMs + policy.graceDays * dayMs,
        endsMs,
      },
    },
  });
}

export function enterDunning({ before, next }: Draft<'active'>): void {
  next.dunning = { fromMs: before.termEndMs, reminders: 0 };
}
