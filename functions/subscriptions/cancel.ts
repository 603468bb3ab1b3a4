import { sellerCaller } from '../shared/auth/bearer.ts';
import type { Input } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { executeChange } from './commands/change-request.ts';
import { route } from './contracts/cancel.ts';

/** Cancels a subscription at once, or at the end of the trial or the paid term. */
export const cancelSubscription = (request: Input<typeof route>) => {
  const { atPeriodEnd, reason } = request.body;
  return executeChange(route, request, () => ({
    event: atPeriodEnd ? 'cancel_at_period_end' : 'cancel',
    reason,
  }));
};

export const handler = endpoint(route, cancelSubscription, sellerCaller);
