import { apiKeyCaller } from '../shared/auth/bearer.ts';
import type { Input } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { executeChange } from './commands/change-request.ts';
import { route } from './contracts/uncancel.ts';

/** Undoes a cancellation at the period end, until that end. */
const uncancelSubscription = (request: Input<typeof route>) =>
  executeChange(request, () => ({ event: 'uncancel' }));

export const handler = endpoint(route, uncancelSubscription, apiKeyCaller);
