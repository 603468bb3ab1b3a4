import { dueMinor } from '../../../invoices/due.ts';
import { type Invoice, type PlanSnapshot, planAmount } from '../../../invoices/invoice.ts';
import { withTax } from '../../../invoices/invoice-total.ts';
import { share } from '../../../invoices/tax.ts';
import { defined } from '../../../shared/contract/defined.ts';
import { sumMinor } from '../../../shared/money/money.ts';
import { dayMs } from '../../../shared/runtime/clock.ts';
import type { MailFacts } from '../../record/outbox-entry.ts';
import { chargesAt, planAt, termsAt } from '../../record/paid-terms.ts';
import { type PlanChange, type Proration, prorate } from '../../record/plan-change.ts';
import type { Charge, OpenInvoice } from '../../record/subscription.ts';
import { endOfTerm } from '../../record/term.ts';
import { closeInvoice, creditGained, creditLeft, openInvoice, useCredit } from '../books.ts';
import { issue, issueCreditNote } from '../documents.ts';
import { closeCheckouts, type Draft, type DraftOf, mail } from '../draft.ts';
import { settleInvoices } from '../granted-term.ts';

/** Changes the plan of an active subscription at once: the rest of its terms is credited and charged anew. */
export function changePlan(draft: DraftOf<'change_plan'>): void {
  const { next, atMs } = draft;
  const change = draft.planChange;
  const former = planAt(next, atMs);
  const proration = prorate(next, change, atMs);
  withdrawRenewal(draft);
  const charges = chargesAt(next, atMs);
  applyTerms(next, change, proration);
  const { untilMs } = proration;
  // The charges of the present term can pay for a later one: credit notes correct the latest charges first.
  next.charges = charges.map((one) => ({ ...one, untilMs }));
  const invoiceN = proration.totalMinor > 0 ? charge(draft, proration, next.charges) : undefined;
  if (proration.totalMinor < 0) credit(draft, change, proration, next.charges);
  const priceFromMs = change.proration === 'none' && isPriced(former, next.plan) ? untilMs : undefined;
  const facts = { ...formerFacts(draft, former), changesAtMs: atMs, ...defined({ priceFromMs }) };
  mail(draft, 'plan_changed', { step: next.revision, invoiceN, facts });
}

/** Changes the plan during a trial, which stays. An invoice of the first term is replaced. */
export function changeTrialPlan(draft: DraftOf<'change_plan', 'trialing'>): void {
  const { before, next, atMs } = draft;
  const { plan } = draft.planChange;
  const former = next.plan;
  const { trialEndMs } = before;
  const replaced = next.openInvoices;
  next.plan = plan;
  for (const { n } of replaced) closeInvoice(draft, n, 'void');
  const periodEndMs = endOfTerm({ atMs: trialEndMs, cycle: plan.billingCycle }, 1);
  // Credit that pays the new plan does so at the reminder, which runs once more.
  const priceMinor = withTax(next, draft.client, planAmount(plan));
  const isCovered = priceMinor > 0 && priceMinor <= creditLeft(draft, plan.currency);
  if (isCovered) next.trialReminderSent = false;
  const first =
    (next.trialReminderSent || replaced.length > 0) && plan.priceMinor > 0 && !isCovered
      ? issue(draft, { plan, dueAtMs: trialEndMs, periodStartMs: trialEndMs, periodEndMs })
      : undefined;
  mail(draft, 'plan_changed', {
    step: next.revision,
    invoiceN: first?.n,
    facts: { ...formerFacts(draft, former), changesAtMs: atMs },
  });
}

/** Schedules another plan from the end of the term on. A renewal invoice of the present plan is voided, and another one issued. */
export function schedulePlanChange(draft: DraftOf<'schedule_plan_change', 'active'>): void {
  const { before, next } = draft;
  const { plan } = draft.planChange;
  const former = planAt(next, draft.atMs);
  withdrawRenewal(draft);
  next.plannedChange = plan;
  mail(draft, 'plan_change_scheduled', {
    step: next.revision,
    plan,
    facts: { ...formerFacts(draft, former), changesAtMs: before.termEndMs },
  });
}

export function undoPlanChange(draft: Draft): void {
  const { next } = draft;
  const { plannedChange } = next;
  if (plannedChange === undefined) return;
  withdrawRenewal(draft);
  delete next.plannedChange;
  mail(draft, 'plan_change_undone', { step: next.revision, facts: formerFacts(draft, plannedChange) });
}

/** The plan before a change, and what became credit of an invoice that is void by it, or by a credit note. */
function formerFacts(draft: Draft, former: PlanSnapshot): Partial<MailFacts> {
  return { ...formerPrice(draft, former), ...defined({ creditMinor: creditGained(draft) }) };
}

/** The plan before a change, with its price for a term, tax included. */
export const formerPrice = ({ next, client }: Draft, former: PlanSnapshot): Partial<MailFacts> => ({
  formerPlanName: former.name,
  formerPriceMinor: withTax(next, client, planAmount(former)),
  formerBillingCycle: former.billingCycle,
  ...defined({ formerQuantity: former.quantity }),
});

/** Whether two plans cost another amount, or the same for another term. */
export const isPriced = (former: PlanSnapshot, plan: PlanSnapshot) =>
  planAmount(former) !== planAmount(plan) || former.billingCycle !== plan.billingCycle;

/** The term of the planned plan begins. It was paid before. */
export function beginPlannedChange({ next, atMs }: Draft): void {
  const charges = chargesAt(next, atMs);
  next.paidTerms = termsAt(next, atMs);
  next.charges = charges;
}

/** The invoice of a change of plan is overdue: its time was granted. */
export function enterDunningOfChange({ next, atMs }: Draft): void {
  next.dunning = { fromMs: atMs, reminders: 0 };
}

/** Closes an open renewal invoice. The renewal step issues another one, of the plan of the next term. */
function withdrawRenewal(draft: Draft): void {
  const { next } = draft;
  for (const { n, planOnPayment } of next.openInvoices)
    if (planOnPayment !== undefined) closeInvoice(draft, n, 'void');
  next.renewalInvoiced = false;
}

function applyTerms(
  next: Draft['next'],
  { plan }: PlanChange,
  { terms, untilMs, fromMs, anchor }: Proration,
): void {
  next.plan = plan;
  next.paidTerms = terms;
  delete next.plannedChange;
  if (anchor === undefined) return;
  next.billingAnchor = anchor;
  next.termIndex = 1;
  next.termStartMs = fromMs;
  next.termEndMs = untilMs;
}

/** Issues the invoice of a change: its time is granted, and it is owed from its due date. @returns its `n`. */
function charge(
  draft: Draft,
  { lines, totalMinor, fromMs, untilMs }: Proration,
  charges: readonly Charge[],
): number {
  const { next, atMs } = draft;
  const dueAtMs = Math.min(atMs + next.policy.dueDays * dayMs, untilMs);
  const period = { periodStartMs: fromMs, periodEndMs: untilMs };
  const open = issue(draft, { plan: next.plan, dueAtMs, lines, ...period, isGranted: true });
  const { n } = open;
  // The client's credit covers it.
  if (dueMinor(open) === 0) settleInvoices(draft, [n]);
  next.charges = [...charges, { n, untilMs, amountMinor: totalMinor }];
  return n;
}

/**
 * Credits an amount: credit notes correct the latest charges first, one for each invoice. The money pays open invoices of
 * earlier changes, and the rest becomes credit of the client.
 *
 * A credit note reduces the taxable amount of its invoice, to which it refers (Directive 2006/112/EC, Articles 90 and 219). So it has
 * the tax of that invoice, whatever the settings and the address are now.
 *
 * @param proration.totalMinor below 0, as prices of plans are. The credit notes include the tax.
 */
function credit(
  draft: Draft,
  { invoices }: PlanChange,
  { totalMinor }: Proration,
  charges: readonly Charge[],
): void {
  const { next } = draft;
  const { openInvoices } = next;
  const amountMinor = -totalMinor;
  let credited = 0;
  /** @param restMinor what the invoice charged, and was not credited yet. */
  const creditNote = (invoice: Invoice, partMinor: number, restMinor: number): void => {
    const noteMinor = owedFor(invoice, restMinor) - owedFor(invoice, restMinor - partMinor);
    credited += partMinor;
    issueCreditNote(draft, { invoice, amountMinor: noteMinor, reason: 'plan_change' });
  };
  next.charges = charges
    .toReversed()
    .map((one) => {
      const partMinor = Math.min(amountMinor - credited, one.amountMinor);
      if (partMinor === 0) return one;
      const invoice = invoices.find(({ n }) => n === one.n);
      if (invoice === undefined) throw new Error(`Invoice ${one.n} of a charge was not read`);
      creditNote(invoice, partMinor, one.amountMinor);
      return { ...one, amountMinor: one.amountMinor - partMinor };
    })
    .toReversed();
  payFromCredit(draft, openInvoices);
}

/** The amount owed for a part of the lines of an invoice, with its tax. Rounded half up. */
function owedFor({ lines, totalMinor }: Invoice, partMinor: number): number {
  const linesMinor = sumMinor(lines);
  return linesMinor <= 0 ? partMinor : share(partMinor, totalMinor, linesMinor);
}

/** Pays open invoices of earlier changes with the client's credit. @param before as they were open before credit notes. */
function payFromCredit(draft: Draft, before: readonly OpenInvoice[]): void {
  for (const { n } of before) useCredit(draft, n);
  const due = ({ n }: OpenInvoice) => dueMinor(openInvoice(draft, n));
  const touched = before.filter((invoice) => due(invoice) < dueMinor(invoice));
  // The amount that a checkout asks for is not due any more.
  closeCheckouts(draft, touched);
  const settled = touched.filter((invoice) => due(invoice) === 0).map(({ n }) => n);
  settleInvoices(draft, settled);
}
