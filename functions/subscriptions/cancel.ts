import { sellerCaller } from '../shared/auth/bearer.ts';
import { endpoint, type Input } from '../shared/lambda/endpoint.ts';
import { executeChange } from './commands/change-request.ts';
import { cancelRoute } from './contracts/changes.ts';

/** Cancels a subscription at once, or at the end of the trial or the paid term. */
export const cancelSubscription = (request: Input<typeof cancelRoute>) => {
  const { atPeriodEnd, reason } = request.body;
  return executeChange(cancelRoute, request, () => ({
    event: atPeriodEnd ? 'cancel_at_period_end' : 'cancel',
    reason,
  }));
};

export const handler = endpoint(cancelRoute, cancelSubscription, sellerCaller);
