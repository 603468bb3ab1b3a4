import { ApiError } from '../../shared/contract/errors.ts';
import { toChangeResponse } from '../present/subscription.ts';
import type { Subscription } from '../record/subscription.ts';
import { type Command, executeCommandOn } from './execute-command.ts';
import { subscriptionQueries } from './subscription-queries.ts';

/** A request of an application to change one of its subscriptions. */
interface ChangeRequest {
  readonly params: { readonly id: string };
  readonly caller: { readonly applicationId: string };
  readonly rateLimitPassed: Promise<void>;
}

/** Executes a request to change a subscription. The response is the subscription after the command. */
export async function executeChange(
  { params: { id }, caller: { applicationId }, rateLimitPassed }: ChangeRequest,
  buildCommand: (current: Subscription) => Command,
): Promise<{ subscription: ReturnType<typeof toChangeResponse> }> {
  const owner = await subscriptionQueries.getOwner(applicationId, id);
  await rateLimitPassed;
  if (owner === undefined) throw new ApiError('not_found');
  const changed = await executeCommandOn(owner, 'application', ({ subscription }) =>
    buildCommand(subscription),
  );
  return { subscription: toChangeResponse(changed) };
}
