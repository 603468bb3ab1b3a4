import { type Invoice, type PlanSnapshot, soldAgain } from '../../invoices/invoice.ts';
import type { invoiceStore } from '../../invoices/store.ts';
import type { Plan } from '../../plans/plan.ts';
import { soldQuantity } from '../../plans/quantity.ts';
import type { Application } from '../../shared/accounts/applications.ts';
import { ApiError } from '../../shared/contract/errors.ts';
import type { Input } from '../../shared/lambda/endpoint.ts';
import { hourMs } from '../../shared/runtime/clock.ts';
import type { changeRoute } from '../contracts/plan-changes.ts';
import { type DecidedPlanChange, decide } from '../machine/decide.ts';
import { type Event, type PlanChangeEvent, transitionContext } from '../machine/event.ts';
import { isSamePlan, planAt } from '../record/paid-terms.ts';
import { isUpgrade, maxCharges, type PlanChange, prorate } from '../record/plan-change.ts';
import type { Subscription } from '../record/subscription.ts';
import { invalidTransition } from './execute-command.ts';
import { type RunStepsDeps, runDueSteps, termsOfNext } from './run-due-steps.ts';
import { readTogether, type SubscriptionOwner, type SubscriptionWithClient } from './subscription-queries.ts';

type PlanChangeBody = Input<typeof changeRoute>['body'];

export interface PlanChangeRequest extends Omit<PlanChangeBody, 'planId' | 'quotedAt'> {
  /** The new plan as read; undefined when the application has no such plan. */
  plan: Plan | undefined;
  quotedAtMs: number | undefined;
}

/** The event that a request for a change of plan is; undefined when the plan is that one already. */
type PlanChangeCommand =
  | { readonly event: Event<PlanChangeEvent>; readonly planChange: PlanChange }
  | undefined;

interface Deps extends RunStepsDeps {
  invoices: Pick<typeof invoiceStore, 'get' | 'latest'>;
}

export function planChangeRequest(
  { quotedAt, planId: _, ...asked }: PlanChangeBody,
  plan: Plan | undefined,
): PlanChangeRequest {
  return { ...asked, plan, quotedAtMs: quotedAt === undefined ? undefined : Date.parse(quotedAt) };
}

/**
 * Decides a change of plan, for its preview and for the change: takes the due steps, and the transition of the change.
 *
 * @param deps of a preview write nothing.
 * @throws ApiError `not_found`, `conflict`, `invalid_request`, `invalid_transition`
 */
export async function decidePlanChange(
  owner: SubscriptionOwner,
  request: PlanChangeRequest,
  deps: Deps,
): Promise<DecidedPlanChange & { readonly current: SubscriptionWithClient }> {
  const [read, application] = await Promise.all([
    readTogether(owner, deps.invoices.latest(owner.subscriptionId)),
    deps.getApplication(owner.applicationId),
  ]);
  if (read === undefined || application === undefined) throw new ApiError('not_found');
  const current = await runDueSteps(read, deps);
  const atMs = quotedAt(current.subscription, request, deps.clock.nowMs());
  const command = await planChangeCommand(current, { ...request, application }, atMs, deps);
  if (command === undefined) return { kind: 'unchanged', current, subscription: current.subscription, atMs };
  const { event, planChange } = command;
  const context = transitionContext(event, { by: 'application', client: current.client, atMs }, deps);
  const outcome = decide(current.subscription, context);
  if (outcome.kind !== 'changed') throw invalidTransition(current.subscription);
  return { kind: 'changed', current, planChange, change: outcome.change, atMs };
}

/** How long a preview can be executed as it was quoted. */
const quoteMs = hourMs;
/** Each is an item of the transaction that ends the subscription. */
const maxOpenChanges = 10;

/**
 * Builds the command for a change of plan in the current state of the subscription.
 *
 * By default, a plan that costs more a month applies at once, and any other at the end of the term. The present plan undoes
 * a change that is planned. During a trial every change applies at once: nothing was paid.
 *
 * @throws ApiError `not_found` for an unknown plan; `conflict` for one that is not sold, or in another currency, for an
 * outdated quote, and after too many changes that are not paid; `invalid_request` for a quantity that the plan does not sell.
 */
async function planChangeCommand(
  { subscription, invoices }: Pick<SubscriptionWithClient, 'subscription' | 'invoices'>,
  request: PlanChangeRequest & { application: Application },
  atMs: number,
  deps: Deps,
): Promise<PlanChangeCommand> {
  const present = planAt(subscription, atMs);
  const plan = newPlan(subscription, present, request);
  const proration = request.proration ?? 'credit';
  const renewal = termsOfNext(plan, request.application);
  const command = (event: PlanChangeEvent, known: readonly Invoice[] = []): PlanChangeCommand => {
    const planChange = { plan, proration, invoices: known };
    return { event: { event, planChange, renewal }, planChange };
  };
  const { status, plannedChange } = subscription;
  if (status !== 'active') {
    return status === 'trialing' && isSamePlan(present, plan) ? undefined : command('change_plan');
  }
  const when = request.when ?? (isUpgrade(present, plan) ? 'now' : 'period_end');
  const isLatest = isSamePlan(subscription.plan, plan);
  if (isLatest && (when === 'period_end' || isSamePlan(present, plan)))
    return plannedChange && command('undo_plan_change');
  if (when === 'now') {
    expectFewChanges(subscription);
    return command(
      'change_plan',
      await chargedInvoices({ plan, proration, invoices }, subscription, atMs, deps),
    );
  }
  const isPlanned = plannedChange !== undefined && isSamePlan(plannedChange, plan);
  return isPlanned ? undefined : command('schedule_plan_change');
}

function quotedAt({ updatedAtMs }: Subscription, { quotedAtMs }: PlanChangeRequest, nowMs: number): number {
  if (quotedAtMs === undefined) return nowMs;
  if (!(quotedAtMs <= nowMs && quotedAtMs > nowMs - quoteMs))
    throw new ApiError('invalid_request', { details: { quotedAt: 'must be of the last hour' } });
  if (updatedAtMs > quotedAtMs)
    throw new ApiError('conflict', {
      details: { quotedAt: 'is before the latest change of the subscription' },
    });
  return quotedAtMs;
}

function newPlan(
  { plan: { currency } }: Subscription,
  present: PlanSnapshot,
  { plan, quantity }: PlanChangeRequest,
): PlanSnapshot {
  if (plan === undefined) throw new ApiError('not_found', { details: { planId: 'is no plan of yours' } });
  const isPresent = plan.planId === present.planId;
  if (!plan.isActive && !isPresent)
    throw new ApiError('conflict', { details: { planId: 'is not sold any more' } });
  const sold = soldAgain(plan, present, soldQuantity(plan, quantity ?? keptQuantity(plan, present)));
  if (sold.currency !== currency) {
    const problem = `is in ${sold.currency}, and the subscription in ${currency}: a subscription keeps its currency`;
    throw new ApiError('conflict', { details: { planId: problem } });
  }
  return sold;
}

/** The present quantity, where the new plan sells it. */
function keptQuantity({ quantity: range }: Plan, { quantity }: PlanSnapshot): number | undefined {
  if (range === undefined || quantity === undefined) return undefined;
  return quantity >= range.min && quantity <= range.max ? quantity : undefined;
}

function expectFewChanges({ openInvoices, charges }: Subscription): void {
  const unpaid = openInvoices.filter(({ planOnPayment }) => planOnPayment === undefined);
  if (unpaid.length < maxOpenChanges && charges.length < maxCharges) return;
  throw new ApiError('conflict', { details: { planId: 'was changed too often in this term' } });
}

/** The invoices that a credit note of this change may correct. Those that are not known are read. */
async function chargedInvoices(
  { invoices, ...change }: PlanChange,
  subscription: Subscription,
  atMs: number,
  deps: Deps,
): Promise<readonly Invoice[]> {
  if (prorate(subscription, { ...change, invoices }, atMs).totalMinor >= 0) return [];
  const { charges, subscriptionId } = subscription;
  // After a concurrent write, only invoices that were issued since may be known.
  const unknown = charges.filter(({ n }) => invoices.every((one) => one.n !== n));
  const read = await Promise.all(unknown.map(({ n }) => deps.invoices.get(subscriptionId, n)));
  return [...invoices, ...read.filter((invoice) => invoice !== undefined)];
}
