import { sellerCaller } from '../shared/auth/bearer.ts';
import { endpoint, type Input } from '../shared/lambda/endpoint.ts';
import { executeChange } from './commands/change-request.ts';
import { resumeRoute } from './contracts/changes.ts';

/** Resumes a paused subscription. The end of its term moves by the duration of the pause. */
export const resumeSubscription = (request: Input<typeof resumeRoute>) =>
  executeChange(resumeRoute, request, () => ({ event: 'resume' }));

export const handler = endpoint(resumeRoute, resumeSubscription, sellerCaller);
