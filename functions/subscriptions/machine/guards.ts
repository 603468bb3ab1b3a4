import { isCovered } from '../../invoices/allocation.ts';
import { dueMinor } from '../../invoices/due.ts';
import { planAmount } from '../../invoices/invoice.ts';
import { withTax } from '../../invoices/invoice-total.ts';
import { uncorrectedMinor } from '../../invoices/revenue-postings.ts';
import type { OpenInvoice, SubscriptionIn, TermStatus } from '../record/subscription.ts';
import type { State } from './draft.ts';
import type { EventName, RefundedInvoice, TransitionContext } from './event.ts';

/** Whether a row applies to a subscription in one of its states. */
export type Guard<E extends EventName, S extends State = State> = (
  subscription: Readonly<SubscriptionIn<S>>,
  context: TransitionContext<E>,
) => boolean;

type GuardedSubscription = Readonly<SubscriptionIn<State>>;

export const trialAvailable: Guard<'start'> = (_, { trial }) =>
  trial.days > 0 && !trial.isUsed && !trial.hasConcurrent;

export const creditCovers: Guard<'start'> = (_, { isCoveredByCredit }) => isCoveredByCredit;

export const isFree = ({ plan }: GuardedSubscription) => plan.priceMinor === 0;

export const cancelsAtPeriodEnd = ({ cancelAtPeriodEnd }: GuardedSubscription) => cancelAtPeriodEnd;

export const doesNotCancelAtPeriodEnd = ({ cancelAtPeriodEnd }: GuardedSubscription) => !cancelAtPeriodEnd;

export const doesNotRenew = ({ autoRenew }: GuardedSubscription) => !autoRenew;

export const renews = ({ autoRenew, cancelAtPeriodEnd }: GuardedSubscription) =>
  autoRenew && !cancelAtPeriodEnd;

export const hasPlannedChange = ({ plannedChange }: GuardedSubscription) => plannedChange !== undefined;

export const creditCoversInvoices = ({ openInvoices }: GuardedSubscription) => isCovered(openInvoices);

/** The client's credit pays the first term, before an invoice of it is issued. Its payment would not wait for the end of the trial either. */
export const creditCoversTrial: Guard<'trial_reminder', 'trialing'> = (subscription, { client }) => {
  const { plan, openInvoices, cancelAtPeriodEnd } = subscription;
  if (plan.priceMinor === 0 || openInvoices.length > 0 || cancelAtPeriodEnd) return false;
  return withTax(subscription, client, planAmount(plan)) <= (client.credit?.[plan.currency] ?? 0);
};

export const hasOpenInvoice: Guard<'payment' | 'payment_reinstated'> = ({ openInvoices }, { paid }) =>
  openInvoices.some(({ n }) => paid.includes(n));

export const owesGrantedTerm: Guard<'resume'> = ({ openInvoices }, { atMs }) =>
  openInvoices.some((invoice) => isOwedAt(invoice, atMs));

export const nothingElseIsOverdue: Guard<'payment' | 'payment_reinstated', 'past_due'> = (
  subscription,
  { paid, atMs },
) => isOnTimeWithout(subscription, paid, atMs);

/** The credit note leaves nothing due of the invoice, and nothing else is overdue. */
export const creditEndsArrears: Guard<'invoice_credited', 'past_due'> = (
  subscription,
  { credited, atMs },
) => {
  const { n } = credited.invoice;
  const open = subscription.openInvoices.find((one) => one.n === n);
  if (open === undefined) return false;
  const isSettled = dueMinor(open) <= credited.amountMinor || voids(credited, open);
  return isSettled && isOnTimeWithout(subscription, [n], atMs);
};

/** Whether a credit note voids an open invoice: nobody has granted its term. A debt of the client that it asks for is theirs again. */
export const voids = (
  { invoice, amountMinor }: RefundedInvoice,
  open: Pick<OpenInvoice, 'planOnPayment'>,
): boolean => open.planOnPayment !== undefined && uncorrectedMinor(invoice) === amountMinor;

export const creditsAll: Guard<'invoice_credited'> = (_, { credited: { invoice, amountMinor } }) =>
  uncorrectedMinor(invoice) === amountMinor;

function isOnTimeWithout(
  { openInvoices, termEndMs }: Readonly<SubscriptionIn<'past_due'>>,
  settled: readonly number[],
  atMs: number,
): boolean {
  const others = openInvoices.filter(({ n }) => !settled.includes(n));
  if (others.some((invoice) => isOwedAt(invoice, atMs))) return false;
  // The rest is owed from the end of the term at the latest, whatever began the dunning.
  return others.length === 0 || atMs < termEndMs;
}

export const isRevivable: Guard<'payment_revived'> = (_, context) => context.isRevivable;

export const refundCancels: Guard<'payment_refunded'> = (_, context) => context.refundCancels;

export const extendsTrial: Guard<'extend_trial', 'trialing'> = ({ trialEndMs }, { untilMs }) =>
  trialEndMs < untilMs;

export const hasTrialEnd: Guard<'extend_trial', 'trialing'> = ({ trialEndMs }, { untilMs }) =>
  untilMs === trialEndMs;

export const extendsTerm: Guard<'grant_days', TermStatus> = ({ termEndMs }, { untilMs }) =>
  termEndMs < untilMs;

export const hasTermEnd: Guard<'grant_days', TermStatus> = ({ termEndMs }, { untilMs }) =>
  untilMs === termEndMs;

/** A reversed payment is owed, whatever the end of the term is. */
export const endsArrears: Guard<'grant_days', 'past_due'> = (
  { openInvoices, termEndMs },
  { untilMs, nowMs },
) =>
  termEndMs < untilMs &&
  untilMs > nowMs &&
  openInvoices.every(({ planOnPayment }) => planOnPayment !== undefined);

export const switchesRenewal: Guard<'set_auto_renew'> = (subscription, { autoRenew }) =>
  autoRenew !== subscription.autoRenew;

/** Whether an invoice is owed whose term was granted before: after a reversal at once, for a change of plan from its due date. */
function isOwedAt({ planOnPayment, dueAtMs }: OpenInvoice, atMs: number): boolean {
  return planOnPayment === undefined && (dueAtMs === undefined || dueAtMs <= atMs);
}
