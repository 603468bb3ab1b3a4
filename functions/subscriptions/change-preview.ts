import { invoiceStore } from '../invoices/store.ts';
import { planStore } from '../plans/store.ts';
import { getApplication } from '../shared/accounts/applications.ts';
import { apiKeyCaller } from '../shared/auth/bearer.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import { newId } from '../shared/runtime/ids.ts';
import { invalidTransition } from './commands/execute-command.ts';
import { planChangeCommand } from './commands/plan-change-command.ts';
import { runDueSteps } from './commands/run-due-steps.ts';
import { subscriptionQueries } from './commands/subscription-queries.ts';
import { subscriptionStore } from './commands/subscription-store.ts';
import { route } from './contracts/change-preview.ts';
import { decide } from './machine/decide.ts';
import { transitionContext } from './machine/transition-context.ts';
import { toPlanChangeResponse, toUnchangedPlanResponse } from './present/plan-change.ts';

/** Due steps are taken in memory, so that the change is decided as it would be, and nothing is written. */
const previewDeps = {
  subscriptions: { getWithClient: subscriptionStore.getWithClient, write: () => Promise.resolve(true) },
  invoices: invoiceStore,
  plans: planStore,
  getApplication,
  scheduleFollowUp: () => Promise.resolve(),
  clock,
  newId,
};
type Route = typeof route;

/** Decides a change of plan, and shows it instead of writing it. */
export async function previewChange({
  params: { id },
  body,
  caller,
  rateLimitPassed,
}: Input<Route>): Promise<Output<Route>> {
  const { applicationId } = caller;
  const [owner, plan] = await Promise.all([
    subscriptionQueries.getOwner(applicationId, id),
    planStore.get(applicationId, body.planId),
  ]);
  await rateLimitPassed;
  if (owner === undefined) throw new ApiError('not_found');
  const { externalId, subscriptionId } = owner;
  const [{ client, subscriptions }, invoices] = await Promise.all([
    subscriptionStore.getWithClient(applicationId, externalId, [subscriptionId]),
    invoiceStore.latest(subscriptionId),
  ]);
  const [subscription] = subscriptions;
  if (subscription === undefined || client === undefined) throw new ApiError('not_found');
  const current = await runDueSteps({ client, subscription, invoices }, previewDeps);
  const nowMs = clock.nowMs();
  const { quotedAt, planId: _planId, ...asked } = body;
  const quotedAtMs = quotedAt === undefined ? undefined : Date.parse(quotedAt);
  const command = await planChangeCommand(current, { ...asked, plan, quotedAtMs }, nowMs, previewDeps);
  if (command.kind === 'unchanged') return { preview: toUnchangedPlanResponse(current.subscription, nowMs) };
  const { event, atMs } = command;
  const context = transitionContext(event, { by: 'application', client: current.client, atMs }, previewDeps);
  const outcome = decide(current.subscription, context);
  if (outcome.kind !== 'changed') throw invalidTransition(current.subscription);
  return { preview: toPlanChangeResponse(command, outcome.change) };
}

export const handler = endpoint(route, previewChange, apiKeyCaller);
