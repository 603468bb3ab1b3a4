import { apiKeyCaller } from '../shared/auth/bearer.ts';
import type { Input } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { executeChange } from './commands/change-request.ts';
import { route } from './contracts/cancel.ts';

/** Cancels a subscription at once, or at the end of the trial or the paid term. */
const cancelSubscription = (request: Input<typeof route>) =>
  executeChange(request, () => ({ event: request.body.atPeriodEnd ? 'cancel_at_period_end' : 'cancel' }));

export const handler = endpoint(route, cancelSubscription, apiKeyCaller);
