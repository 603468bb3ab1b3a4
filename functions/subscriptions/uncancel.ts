import { sellerCaller } from '../shared/auth/bearer.ts';
import { endpoint, type Input } from '../shared/lambda/endpoint.ts';
import { executeChange } from './commands/change-request.ts';
import { uncancelRoute } from './contracts/changes.ts';

/** Undoes a cancellation at the period end, until that end. */
export const uncancelSubscription = (request: Input<typeof uncancelRoute>) =>
  executeChange(uncancelRoute, request, () => ({ event: 'uncancel', reason: request.body.reason }));

export const handler = endpoint(uncancelRoute, uncancelSubscription, sellerCaller);
