import { sellerCaller } from '../shared/auth/bearer.ts';
import type { Input } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { executeChange } from './commands/change-request.ts';
import { route } from './contracts/resume.ts';

/** Resumes a paused subscription. The end of its term moves by the duration of the pause. */
export const resumeSubscription = (request: Input<typeof route>) =>
  executeChange(route, request, () => ({ event: 'resume' }));

export const handler = endpoint(route, resumeSubscription, sellerCaller);
