import { sellerCaller } from '../shared/auth/bearer.ts';
import type { Input } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { executeChange } from './commands/change-request.ts';
import { updateCommand } from './commands/update-command.ts';
import { route } from './contracts/update.ts';

/** Changes when a subscription ends, or whether it renews. */
const updateSubscription = (request: Input<typeof route>) =>
  executeChange(request, (current) => updateCommand(request.body, request.caller, current));

export const handler = endpoint(route, updateSubscription, sellerCaller);
