import { sellerCaller } from '../shared/auth/bearer.ts';
import type { Input } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import { executeChange } from './commands/change-request.ts';
import { updateEvent } from './commands/update-command.ts';
import { route } from './contracts/update.ts';

/** Changes when a subscription ends, or whether it renews. */
export const updateSubscription = (request: Input<typeof route>) =>
  executeChange(route, request, (current) => updateEvent(request.body, current, clock.nowMs()));

export const handler = endpoint(route, updateSubscription, sellerCaller);
