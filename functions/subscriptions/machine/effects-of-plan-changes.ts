import { dueMinor } from '../../invoices/due.ts';
import type { Invoice } from '../../invoices/invoice.ts';
import { share } from '../../invoices/tax.ts';
import { defined } from '../../shared/contract/defined.ts';
import { dayMs } from '../../shared/runtime/duration.ts';
import { chargesAt, planAt, termsAt } from '../record/paid-terms.ts';
import { type PlanChange, type Proration, prorate } from '../record/plan-change.ts';
import type { Charge, OpenInvoice } from '../record/subscription.ts';
import { endOfTerm } from '../record/term.ts';
import { issueCreditNote } from './credit-note.ts';
import { closeCheckouts, type Draft, type DraftOf, issue, mail, update, useCredit } from './draft.ts';
import { settleInvoices } from './granted-term.ts';

/** Changes the plan of an active subscription at once: the rest of its terms is credited and charged anew. */
export function changePlan(draft: DraftOf<'change_plan'>): void {
  const { next, atMs } = draft;
  const change = draft.planChange;
  const former = planAt(next, atMs);
  const proration = prorate(next, change, atMs);
  withdrawRenewal(draft);
  const charges = chargesAt(next, atMs);
  applyTerms(next, change, proration);
  // The charges of former terms pay for the new one.
  const { anchor, untilMs } = proration;
  next.charges = anchor === undefined ? charges : charges.map((one) => ({ ...one, untilMs }));
  const invoiceN = proration.totalMinor > 0 ? charge(draft, proration, next.charges) : undefined;
  const creditMinor = proration.totalMinor < 0 ? credit(draft, change, proration, next.charges) : 0;
  mail(draft, 'plan_changed', {
    step: next.revision,
    invoiceN,
    facts: {
      formerPlanName: former.name,
      changesAtMs: atMs,
      ...defined({ creditMinor: creditMinor > 0 ? creditMinor : undefined }),
    },
  });
}

/** Changes the plan during a trial, which stays. An invoice of the first term is replaced. */
export function changeTrialPlan(draft: DraftOf<'change_plan', 'trialing'>): void {
  const { before, next, atMs } = draft;
  const { plan } = draft.planChange;
  const former = next.plan;
  const { trialEndMs } = before;
  const replaced = next.openInvoices;
  next.plan = plan;
  for (const invoice of replaced) withdraw(draft, invoice);
  const periodEndMs = endOfTerm({ atMs: trialEndMs, cycle: plan.billingCycle }, 1);
  const first =
    (next.trialReminderSent || replaced.length > 0) && plan.priceMinor > 0
      ? issue(draft, { plan, dueAtMs: trialEndMs, periodStartMs: trialEndMs, periodEndMs })
      : undefined;
  mail(draft, 'plan_changed', {
    step: next.revision,
    invoiceN: first?.n,
    facts: { formerPlanName: former.name, changesAtMs: atMs },
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
    facts: { formerPlanName: former.name, changesAtMs: before.termEndMs },
  });
}

/** The plan stays as it is after the end of the term. */
export function undoPlanChange(draft: Draft): void {
  const { next } = draft;
  const { plannedChange } = next;
  if (plannedChange === undefined) return;
  const { name: formerPlanName } = plannedChange;
  withdrawRenewal(draft);
  delete next.plannedChange;
  mail(draft, 'plan_change_undone', { step: next.revision, facts: { formerPlanName } });
}

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
  for (const invoice of next.openInvoices) if (invoice.planOnPayment !== undefined) withdraw(draft, invoice);
  next.renewalInvoiced = false;
}

/** Makes an open invoice void. What it had received is credit of the client again. */
function withdraw(draft: Draft, invoice: OpenInvoice): void {
  const { next, atMs } = draft;
  const { n, receivedMinor = 0, currency } = invoice;
  next.openInvoices = next.openInvoices.filter((other) => other.n !== n);
  update(draft, { n, status: 'void', closedAtMs: atMs });
  closeCheckouts(draft, [invoice]);
  if (receivedMinor !== 0) draft.credits.push({ currency, amountMinor: receivedMinor });
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
 * A credit note refers to its invoice (Directive 2006/112/EC, Article 219), so it has the tax of that invoice, whatever the
 * settings and the address are now.
 *
 * @param proration.totalMinor below 0, as prices of plans are. The credit notes include the tax.
 * @returns what became credit of the client.
 */
function credit(
  draft: Draft,
  { invoices }: PlanChange,
  { totalMinor }: Proration,
  charges: readonly Charge[],
): number {
  const { next } = draft;
  const amountMinor = -totalMinor;
  let credited = 0;
  let withTaxMinor = 0;
  /** @param restMinor what the invoice charged, and was not credited yet. */
  const creditNote = (invoice: Invoice, partMinor: number, restMinor: number): void => {
    const noteMinor = owedFor(invoice, restMinor) - owedFor(invoice, restMinor - partMinor);
    credited += partMinor;
    withTaxMinor += noteMinor;
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
  return creditClient(draft, withTaxMinor);
}

/** The amount owed for a part of the lines of an invoice, with its tax. Rounded half up. */
function owedFor({ lines, totalMinor }: Invoice, partMinor: number): number {
  const sumMinor = lines.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  return sumMinor <= 0 ? partMinor : share(partMinor, totalMinor, sumMinor);
}

/** Credit of the client, which pays open invoices of earlier changes at once. @returns what is left of the amount. */
function creditClient(draft: Draft, amountMinor: number): number {
  const { next } = draft;
  draft.credits.push({ currency: next.plan.currency, amountMinor });
  const paid = next.openInvoices.map((invoice) => ({ before: invoice, after: useCredit(draft, invoice) }));
  const touched = paid.filter(({ before, after }) => dueMinor(after) < dueMinor(before));
  // The amount that a checkout asks for is not due any more.
  closeCheckouts(
    draft,
    touched.map(({ before }) => before),
  );
  const settled = touched.filter(({ after }) => dueMinor(after) === 0).map(({ after }) => after.n);
  settleInvoices(draft, settled);
  const usedMinor = touched.reduce((sum, { before, after }) => sum + dueMinor(before) - dueMinor(after), 0);
  return Math.max(0, amountMinor - usedMinor);
}
