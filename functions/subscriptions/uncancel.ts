import { sellerCaller } from '../shared/auth/bearer.ts';
import type { Input } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { executeChange } from './commands/change-request.ts';
import { route } from './contracts/uncancel.ts';

/** Undoes a cancellation at the period end, until that end. */
export const uncancelSubscription = (request: Input<typeof route>) =>
  executeChange(route, request, () => ({ event: 'uncancel', reason: request.body.reason }));

export const handler = endpoint(route, uncancelSubscription, sellerCaller);
