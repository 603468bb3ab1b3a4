import { planStore } from '../plans/store.ts';
import { apiKeyCaller } from '../shared/auth/bearer.ts';
import { ApiError, endpoint, type Input, type Output } from '../shared/lambda/endpoint.ts';
import { commandDeps } from './commands/execute-command.ts';
import { decidePlanChange, planChangeRequest } from './commands/plan-change-command.ts';
import { subscriptionQueries } from './commands/subscription-queries.ts';
import { changePreviewRoute } from './contracts/plan-changes.ts';
import { toPlanChangeResponse } from './present/plan-change.ts';

/** Due steps are taken in memory, so that the change is decided as it would be, and nothing is written. */
const previewDeps = {
  ...commandDeps,
  subscriptions: { write: () => Promise.resolve(true) },
  scheduleFollowUp: () => Promise.resolve(),
};
type Route = typeof changePreviewRoute;

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
  const decided = await decidePlanChange(owner, planChangeRequest(body, plan), previewDeps);
  return { preview: toPlanChangeResponse(decided) };
}

export const handler = endpoint(changePreviewRoute, previewChange, apiKeyCaller);
